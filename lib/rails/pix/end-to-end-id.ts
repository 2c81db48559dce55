/** `E` + ISPB of the payer's bank + yyyyMMddHHmm (UTC) + 11 letters or digits. */
export const END_TO_END_ID = /^E[0-9A-Z]{8}\d{12}[a-zA-Z0-9]{11}$/;
