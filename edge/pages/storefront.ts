// Serves the demo storefront at `/shop`, with the publishable key of the demo store's sandbox: its pages by the shop's
// own handler, with the sandbox's secrets on the server alone, its script and style under names that contain their hash.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ownResponse } from '#edge/meta.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { type BuiltFile, bundle, bundleInParts, withPageHeaders } from './browser_program.ts';
import { smallPage } from './small_page.ts';
import { smallPageDocument, smallPagePolicy } from './small_page_document.ts';
import { IMMUTABLE, StaticAsset } from './static_asset.ts';
import type { PageFiles, ShopHandler, ShopOptions, ShopSecrets, ShopSetting } from './storefront/setting.ts';

const BASE = '/shop';
const FOLDER = `${BASE}/file/`;
const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

const KEY = /^svc_pk_test_[A-Za-z0-9_-]{8,200}$/;
const SECRET = /^svc_sk_test_[A-Za-z0-9_-]{8,200}$/;
const CODE = /^[a-z0-9-]{1,64}$/;

const encoder = new TextEncoder();

const isText = (text: unknown, form: RegExp): text is string => typeof text === 'string' && form.test(text);

interface Demo {
  readonly setting: ShopSetting;
  readonly secrets: ShopSecrets | undefined;
}

/** Returns null without a demo store. */
const readDemo = async (file: string): Promise<Demo | null> => {
  if (file === '') return null;
  try {
    const read: Readonly<Record<string, unknown>> = JSON.parse(await readFile(file, 'utf8'));
    const { publishable_test_key: key, code, secret_test_key: secret, hmac_test_secret: hmacSecret } = read;
    if (!isText(key, KEY) || !isText(code, CODE)) return null;
    const secrets = isText(secret, SECRET) && typeof hmacSecret === 'string' ? { key: secret, hmacSecret } : undefined;
    return { setting: { key, code, server: `${BASE}/server` }, secrets };
  } catch {
    return null;
  }
};

const source = (name: string): URL => new URL(`./storefront/${name}`, import.meta.url);

/** Loaded at the first request and by name: its types need those of browsers, which the edge compiles without. */
interface ShopServer {
  readonly createShop: (options: ShopOptions) => ShopHandler;
}

interface BuiltShop {
  readonly server: ShopServer;
  readonly files: PageFiles;
  readonly assets: ReadonlyMap<string, StaticAsset>;
}

const FONT = /@fontsource[\w-]*\/[\w-]+\/files\/([\w-]+)\.woff2/g;

interface BuiltStyle {
  readonly style: StaticAsset;
  /** Fonts by name; pages preload the first. */
  readonly fonts: ReadonlyMap<string, StaticAsset>;
}

/** Serves the fonts that the style sheet names in their packages, and points the sheet at them. */
const styleSheet = async (): Promise<BuiltStyle> => {
  let text = new TextDecoder().decode(await bundle(source('style.css'), ['*.woff2']));
  const fonts = new Map<string, StaticAsset>();
  for (const [path, name] of text.matchAll(FONT)) {
    const font = new StaticAsset('font/woff2', () => readFile(fileURLToPath(import.meta.resolve(path))));
    const hashed = `${name}-${await font.hash}.woff2`;
    fonts.set(hashed, font);
    text = text.replaceAll(path, FOLDER + hashed);
  }
  return { style: new StaticAsset(STYLE, () => encoder.encode(text)), fonts };
};

const build = async (): Promise<BuiltShop> => {
  const [server, parts, { style, fonts }]: [ShopServer, readonly BuiltFile[], BuiltStyle] = await Promise.all([
    import(source('render/handler.ts').href),
    bundleInParts(source('main.tsx'), FOLDER),
    styleSheet(),
  ]);
  const assets = new Map(parts.map(({ name, bytes }) => [name, new StaticAsset(SCRIPT, () => bytes)]));
  const styleName = `style-${await style.hash}.css`;
  assets.set(styleName, style);
  for (const [name, font] of fonts) assets.set(name, font);
  const [firstFont = ''] = fonts.keys();
  const script = parts.find(({ isEntry }) => isEntry)!.name;
  return { server, files: { script: FOLDER + script, style: FOLDER + styleName, fonts: [FOLDER + firstFont] }, assets };
};

const noShop = (context: RequestContext): Response =>
  smallPage(
    context,
    200,
    smallPageDocument(
      'No demo shop',
      `<div class="sheet"><h1>No demo shop</h1>
<p>This system has no demo store. <code>npm start</code> creates one; <a href="/docs/guides/shop">the guide</a> says
how to show a store of yours here.</p></div>`,
    ),
    smallPagePolicy([]),
  );

type RespondToPath = (context: RequestContext, params: Record<string, string>) => Promise<Response | null>;

export interface ShopRoute {
  readonly path: string;
  readonly respond: RespondToPath;
  readonly verbs: readonly ('GET' | 'POST')[];
}

/** `demoFile` contains the demo's keys; the API answers at `publicUrl`; `addressOf` returns the visitor's. */
export const storefrontRoutes = (
  demoFile: string,
  publicUrl: () => string,
  addressOf: (request: Request) => string,
): readonly ShopRoute[] => {
  let built: Promise<BuiltShop> | null = null;
  const shop = (): Promise<BuiltShop> => {
    built ??= build().catch((problem: unknown) => {
      built = null;
      throw problem;
    });
    return built;
  };
  /** The handler of the demo store whose keys the file has; another one after the demo was made anew. */
  let served: { readonly key: string; readonly handler: ShopHandler } | null = null;
  const handlerOf = async ({ setting, secrets }: Demo): Promise<ShopHandler> => {
    const { server, files } = await shop();
    const url = publicUrl();
    const key = `${setting.key} ${secrets?.key} ${url}`;
    if (served?.key !== key) {
      const options = { setting, secrets, apiUrl: url, base: BASE, files, origin: new URL(url).origin };
      served = { key, handler: server.createShop(options) };
    }
    return served.handler;
  };
  const page: RespondToPath = async (context) => {
    const demo = await readDemo(demoFile);
    const { method, url } = context.request;
    const isCall = new URL(url).pathname.startsWith(`${BASE}/server/`);
    if (isCall ? demo === null || method !== 'POST' : demo === null && method === 'POST') return null;
    if (demo === null) return noShop(context);
    const response = await (await handlerOf(demo))(context.request, addressOf(context.request));
    response.headers.set('X-Request-Id', context.requestId);
    return response;
  };
  return [
    { path: BASE, respond: page, verbs: ['GET'] },
    { path: `${BASE}/*`, respond: page, verbs: ['GET', 'POST'] },
    { path: `${BASE}/server/:name`, respond: page, verbs: ['POST'] },
    {
      path: `${BASE}/file/:name`,
      verbs: ['GET'],
      respond: async (context, { name = '' }) => {
        const file = (await shop()).assets.get(name);
        return file ? file.respond(context, IMMUTABLE) : null;
      },
    },
    {
      path: `${BASE}/setting.json`,
      verbs: ['GET'],
      respond: async (context) => {
        const body = encoder.encode(JSON.stringify((await readDemo(demoFile))?.setting ?? { key: null, code: '' }));
        return withPageHeaders(ownResponse(context, body), "default-src 'none'");
      },
    },
  ];
};
