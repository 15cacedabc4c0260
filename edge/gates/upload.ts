// Reads the file of a form that a browser or program uploads.
import { invalid, type Refusal } from '#runtime/call/call.ts';

/** Name of the form's part that holds the file. */
const PART = 'file';

const NO_FILE = invalid(PART, 'The form has no file. Send it as the part `file`, with a file name.');
const BROKEN = invalid(PART, 'The form cannot be read. Send it as multipart/form-data with its boundary.');

export interface UploadedFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly fileName: string;
}

export const isForm = (contentType: string): boolean => /^multipart\/form-data\s*(;|$)/i.test(contentType);

/** Returns the form's file. A retry may have another boundary, so the file alone stands for the body. */
export const readFilePart = async (form: Uint8Array, contentType: string): Promise<UploadedFile | Refusal> => {
  const headers = { 'Content-Type': contentType };
  const parts = await new Response(form as Uint8Array<ArrayBuffer>, { headers }).formData().catch(() => null);
  if (parts === null) return BROKEN;
  const file = parts.get(PART);
  if (!(file instanceof Blob)) return NO_FILE;
  const fileName = 'name' in file && typeof file.name === 'string' ? file.name : '';
  return { bytes: await file.bytes(), mediaType: file.type, fileName };
};
