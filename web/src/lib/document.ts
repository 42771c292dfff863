// Data in script elements of the document (src/serve/document.h): the font, answers by their address, and in a saved
// report the files that the server sends when they are wanted.
export function inDocument<T>(id: string): T | null {
  const element = document.getElementById(id);
  return element ? (JSON.parse(element.textContent ?? '') as T) : null;
}

const native = (Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
export function bytesOf(base64: string): ArrayBuffer {
  return (native ? native(base64) : Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))).buffer;
}

/** Loads the font from the document, before anything is laid out or drawn. */
export function takeFont() {
  const font = inDocument<string>('font');
  if (font) document.fonts.add(new FontFace('Inter', bytesOf(font), { weight: '100 900' }));
}

export async function later(file: string): Promise<string> {
  const held = document.getElementById(file);
  if (held) return held.textContent ?? '';
  const r = await fetch(file);
  if (!r.ok) throw new Error(`the server sent no ${file}: ${r.status}`);
  return r.text();
}

/** Runs a script as an element of the document, which the server's policy allows by the digest of its text. */
export async function runLater(file: string) {
  const script = document.createElement('script');
  script.textContent = await later(file);
  document.head.append(script);
}
