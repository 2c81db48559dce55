/** The largest file, in bytes, and the types that are accepted, by their bytes, with how a file of each ends. */
export const MAX_DOCUMENT_BYTES = 4_000_000;
const extensions = { "application/pdf": "pdf", "image/jpeg": "jpg", "image/png": "png" } as const;
export type DocumentType = keyof typeof extensions;
export const documentTypes = Object.keys(extensions) as [DocumentType, ...DocumentType[]];

/** The name under which a document is saved. */
export const fileNameOf = (document: { id: string; kind: string; content_type: DocumentType }) =>
  `${document.kind}-${document.id}.${extensions[document.content_type]}`;
