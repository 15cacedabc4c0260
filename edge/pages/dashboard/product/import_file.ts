// The file of an import as the request that pushes its products. Pure, but for reading the file.
import type { PushRequest } from '#proto/client/dashboard.ts';

const FILE_BYTES_MAX = 15 * 1024 * 1024;

export interface ImportFile {
  readonly name: string;
  readonly request: Pick<PushRequest, 'csv' | 'products'>;
}

const linesOf = (text: string): unknown[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown);

const productsOf = (name: string, text: string): readonly unknown[] | null => {
  if (/\.(ndjson|jsonl)$/i.test(name)) return linesOf(text);
  const read: unknown = JSON.parse(text);
  if (Array.isArray(read)) return read;
  const list = typeof read === 'object' && read !== null && 'products' in read ? read.products : null;
  return Array.isArray(list) ? list : null;
};

/** Returns the refusal of a file without products as a sentence. */
export const readImport = async (file: File): Promise<ImportFile | string> => {
  const { name, size } = file;
  if (size > FILE_BYTES_MAX) return `${name} has ${size} bytes; a file has at most ${FILE_BYTES_MAX}.`;
  const text = await file.text();
  if (!/\.(json|ndjson|jsonl)$/i.test(name)) return { name, request: { csv: text } };
  try {
    const products = productsOf(name, text);
    return products ? { name, request: { products } } : `${name} holds no list of products.`;
  } catch (problem) {
    return `${name} is not valid JSON: ${problem instanceof Error ? problem.message : String(problem)}`;
  }
};
