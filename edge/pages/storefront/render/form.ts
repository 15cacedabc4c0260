// Reads a form that a browser posts.

const BYTES_MAX = 4 * 1024;

/** Returns null if the body is no form. */
export const readForm = async (request: Request): Promise<URLSearchParams | null> => {
  const type = request.headers.get('content-type') ?? '';
  if (!type.startsWith('application/x-www-form-urlencoded')) return null;
  const text = await request.text();
  return text.length > BYTES_MAX ? null : new URLSearchParams(text);
};
