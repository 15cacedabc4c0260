// Serves the demo storefront at `/shop`: page, script and style sheet, with the publishable key of the demo store's
// sandbox.
import { readFile } from 'node:fs/promises';
import { ownResponse } from '#edge/meta.ts';
import { bundle, type ProgramFile, programDocument, programFile, withPageHeaders } from './browser_program.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: https: http:",
  "base-uri 'none'",
  // Allows the form that sends gift cards to the store's checkout page.
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const encoder = new TextEncoder();

const KEY = /^svc_pk_test_[A-Za-z0-9_-]{8,200}$/;
const CODE = /^[a-z0-9-]{1,64}$/;

const readSetting = async (file: string): Promise<{ key: string | null; code: string; server?: string }> => {
  const none = { key: null, code: '' };
  if (file === '') return none;
  try {
    const read: Readonly<Record<string, unknown>> = JSON.parse(await readFile(file, 'utf8'));
    const { publishable_test_key: key, code } = read;
    return typeof key === 'string' && KEY.test(key) && typeof code === 'string' && CODE.test(code)
      ? { key, code, server: '/shop/server' }
      : none;
  } catch {
    return none;
  }
};

const file = programFile(POLICY);
const source = (name: string): URL => new URL(`./storefront/${name}`, import.meta.url);

export const storefrontFiles = (demoFile: string): readonly ProgramFile[] => [
  file('/shop', 'text/html; charset=utf-8', async () => encoder.encode(programDocument('shop', 'Shop'))),
  file('/shop/main.js', 'text/javascript; charset=utf-8', () => bundle(source('main.tsx'))),
  file('/shop/style.css', 'text/css; charset=utf-8', () => bundle(source('style.css'))),
  {
    path: '/shop/setting.json',
    respond: async (context) => {
      const body = encoder.encode(JSON.stringify(await readSetting(demoFile)));
      return withPageHeaders(ownResponse(context, body, 'no-store', 200, 'application/json'), POLICY);
    },
  },
];
