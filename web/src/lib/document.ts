// Data in script elements of the document (src/serve/document.h): the font, and answers by their address.
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
