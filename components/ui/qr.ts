import QRCode from "qrcode";

/** The code as one path of unit squares, a run of dark modules a step. The white card around it is the quiet zone. */
export function qrOf(code: string) {
  const { size, data } = QRCode.create(code, { errorCorrectionLevel: "M" }).modules;
  let qrPath = "";
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (data[row * size + column]) qrPath += `M${column} ${row}h1v1h-1z`;
    }
  }
  return { qrPath, qrSize: size };
}
