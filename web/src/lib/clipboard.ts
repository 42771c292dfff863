// Data that the user takes out of the page: to the clipboard, or as a file.
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false; // the page is a file, or the user denies access
  }
}

export function save(name: string, content: Blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Saves what a canvas shows as PNG, on the ground that it stands on. */
export function savePicture(name: string, canvas: HTMLCanvasElement, ground: string) {
  const copied = document.createElement('canvas');
  [copied.width, copied.height] = [canvas.width, canvas.height];
  const pen = copied.getContext('2d')!;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, copied.width, copied.height);
  pen.drawImage(canvas, 0, 0);
  copied.toBlob((png) => png && save(`${name}.png`, png), 'image/png');
}
