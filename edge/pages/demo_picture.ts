// Serves the demo shop's pictures from a folder.
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

export const openPictures = (folder: string): ((name: string) => Promise<Response> | null) => {
  const names = new Set(readdirSync(folder));
  const picture = async (name: string): Promise<Response> =>
    new Response(await readFile(join(folder, name)), { headers: HEADERS });
  return (name) => (names.has(name) ? picture(name) : null);
};
