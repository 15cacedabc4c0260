// Serves the dashboard at `/dashboard` and every path below it: one document, whose program shows the path's screen.
// The names of its files contain their hash. The first request builds them.
import { fileURLToPath } from 'node:url';
import { ownResponse } from '#edge/meta.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { bundle, bundleInParts, programDocument, withPageHeaders } from './browser_program.ts';
import { IMMUTABLE, REVALIDATED, StaticAsset } from './static_asset.ts';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "img-src 'self' data: blob: https: http:",
  "media-src 'self' blob: https: http:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const FOLDER = '/dashboard/file/';
const SCRIPT = 'text/javascript; charset=utf-8';

const encoder = new TextEncoder();
const source = (name: string): URL => new URL(name, import.meta.url);
const textOf = (url: URL | string): Promise<string> => Bun.file(fileURLToPath(url)).text();

/** Joins the design system's styles and those of each area: `dashboard/AREA/style.css`. */
const style = async (): Promise<Uint8Array> => {
  const areas = [...new Bun.Glob('**/style.css').scanSync({ cwd: fileURLToPath(source('./dashboard/')) })].sort();
  const parts = await Promise.all([
    textOf(import.meta.resolve('uplot/dist/uPlot.min.css')),
    bundle(source('./design/style.css')).then((bytes) => new TextDecoder().decode(bytes)),
    // The console's styles name plain elements: they hold in the section that shows its tabs.
    textOf(source('./console/style.css')).then((text) => `.developers{${text}}`),
    ...areas.map((path) => textOf(source(`./dashboard/${path}`))),
  ]);
  return encoder.encode(parts.join('\n'));
};

interface BuiltDashboard {
  readonly document: StaticAsset;
  readonly files: ReadonlyMap<string, StaticAsset>;
}

const build = async (): Promise<BuiltDashboard> => {
  const [parts, sheet] = await Promise.all([bundleInParts(source('./dashboard/main.tsx'), FOLDER), style()]);
  const files = new Map(parts.map(({ name, bytes }) => [name, new StaticAsset(SCRIPT, () => bytes)]));
  const sheetAsset = new StaticAsset('text/css; charset=utf-8', () => sheet);
  const sheetName = `style-${await sheetAsset.hash}.css`;
  files.set(sheetName, sheetAsset);
  const entry = parts.find(({ isEntry }) => isEntry)!.name;
  const text = programDocument('dashboard', 'Dashboard', { script: FOLDER + entry, style: FOLDER + sheetName });
  return { document: new StaticAsset('text/html; charset=utf-8', () => encoder.encode(text)), files };
};

type RespondToPath = (context: RequestContext, params: Record<string, string>) => Promise<Response | null>;

const EMAIL = /^[^\s@]+@[^\s@]+$/;

interface DemoAccount {
  readonly email: string;
  readonly password: string;
}

/** Staff accounts of the demo's store and of its marketplace, which every visitor of a demo may use. */
interface DemoAccounts {
  readonly demo: DemoAccount | null;
  readonly marketplace: DemoAccount | null;
}

const NO_DEMO: DemoAccounts = { demo: null, marketplace: null };

const accountOf = (read: unknown): DemoAccount | null => {
  if (typeof read !== 'object' || read === null || !('staff_email' in read && 'staff_password' in read)) return null;
  const { staff_email: email, staff_password: password } = read;
  return typeof email === 'string' && EMAIL.test(email) && typeof password === 'string' ? { email, password } : null;
};

const readDemo = async (demoFile: string): Promise<DemoAccounts> => {
  if (demoFile === '') return NO_DEMO;
  try {
    const read: { readonly marketplace?: unknown } = await Bun.file(demoFile).json();
    return { demo: accountOf(read), marketplace: accountOf(read.marketplace) };
  } catch {
    return NO_DEMO;
  }
};

export const dashboardFiles = (
  demoFile: string,
): readonly { readonly path: string; readonly respond: RespondToPath }[] => {
  let built: Promise<BuiltDashboard> | null = null;
  const dashboard = (): Promise<BuiltDashboard> => {
    built ??= build().catch((problem: unknown) => {
      built = null;
      throw problem;
    });
    return built;
  };
  const respondWithDocument: RespondToPath = async (context) =>
    withPageHeaders(await (await dashboard()).document.respond(context, REVALIDATED), POLICY);
  return [
    { path: '/dashboard', respond: respondWithDocument },
    { path: '/dashboard/*', respond: respondWithDocument },
    {
      path: '/dashboard/file/demo.json',
      respond: async (context) => {
        const body = encoder.encode(JSON.stringify(await readDemo(demoFile)));
        return withPageHeaders(ownResponse(context, body), POLICY);
      },
    },
    {
      path: '/dashboard/file/:name',
      respond: async (context, { name = '' }) => {
        const file = (await dashboard()).files.get(name);
        return file ? withPageHeaders(await file.respond(context, IMMUTABLE), POLICY) : null;
      },
    },
  ];
};
