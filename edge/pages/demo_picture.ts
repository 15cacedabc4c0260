// The demo shop's pictures: the files of a folder, for shops that have been filled with the demo.
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const HEADERS = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'x-content-type-options': 'nosniff',
} as const;

/** Answers a picture by its file's name; null where the folder has no such file. */
export const openPictures = (folder: string): ((name: string) => Promise<Response> | null) => {
  const names = new Set(readdirSync(folder));
  const picture = async (name: string): Promise<Response> =>
    new Response(await readFile(join(folder, name)), { headers: HEADERS });
  return (name) => (names.has(name) ? picture(name) : null);
};
