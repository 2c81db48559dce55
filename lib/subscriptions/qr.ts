import QRCode from "qrcode";

/** A Pix code as a picture: a PNG as a data URI, with its quiet zone. */
export const pictureOf = (pixCode: string): Promise<string> =>
  QRCode.toDataURL(pixCode, { errorCorrectionLevel: "M", margin: 4, scale: 6 });
