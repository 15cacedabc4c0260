// The shop's server as a fetch handler, for Node, Bun and edge workers: renders pages and takes the cart's form.

import { isPaying, readAddress } from '#edge/pages/storefront/address.ts';
import { type RespondToServerCall, shopServer } from '#edge/pages/storefront/back/respond.ts';
import { currenciesOf, currencyCookie, readCurrency } from '#edge/pages/storefront/currency.ts';
import { languagePath, type ShopLanguages, splitLanguage } from '#edge/pages/storefront/language_path.ts';
import { readSession, sessionCookie } from '#edge/pages/storefront/session_cookie.ts';
import type { ShopHandler, ShopOptions } from '#edge/pages/storefront/setting.ts';
import { ENGLISH, type Words, wordsOf } from '#edge/pages/storefront/wording.ts';
import { AnswerCache, randomId, StoaError } from '#proto/client/storefront.ts';
import { archive, type IsArchived } from './archive.ts';
import { changeCart, readCartForm } from './cart_form.ts';
import { readForm } from './form.ts';
import { messageDocument } from './message.ts';
import { type ApiAccess, openApi, readFrame } from './open.ts';
import { type PageOrder, type RenderedPage, renderPage, streamPage } from './page.tsx';
import { type CardLibrary, contentPolicy, hashOf } from './policy.ts';
import { textsIn } from './shop_text.ts';
import { readAddresses } from './site_address.ts';
import { cachedAddresses, robots, type SiteListing, sitemap } from './sitemap.ts';

const NOT_FOUND = 404;
const GONE = 410;
const CACHED_ANSWERS_MAX = 2_000;
/** Pages that depend on the visitor, or that the browser alone shows. */
const PERSONAL = /^\/(cart|checkout|account|orders)(\/|\?|$)/;
const SHARED_CACHE = 'public, max-age=0, must-revalidate';

interface ShopRequest {
  readonly isArchived: IsArchived | null;
  readonly addresses: () => Promise<SiteListing>;
  readonly call: RespondToServerCall | null;
  readonly address: string;
  readonly options: ShopOptions;
  readonly access: ApiAccess;
  readonly request: Request;
  readonly url: URL;
  /** Path and query within the shop, without the language. */
  readonly path: string;
  /** Language that the address names, one of the store's; null for its default one. */
  readonly language: string | null;
  /** Path of the shop's first page in that language, without a slash at its end. */
  readonly home: string;
  readonly words: Words;
  readonly origin: string;
}

const html = (status: number, body: ReadableStream | string | null, headers: Record<string, string>): Response =>
  new Response(body, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Referrer-Policy': 'no-referrer',
      'X-Frame-Options': 'DENY',
      ...headers,
    },
  });

/**
 * Returns a weak tag, because the page contains the log of its requests, which differs each time. The tag covers the
 * API's answers: it is the same while the API confirms their tags.
 */
const tagOf = async ({ document, state: { requests: _, ...rest } }: RenderedPage): Promise<string> =>
  `W/"${await hashOf(JSON.stringify([document, rest]))}"`;

/** Returns 410 for a product that is archived, which search engines then forget sooner. */
const missingStatus = async ({ path, isArchived }: ShopRequest): Promise<number> => {
  const slug = productName(path);
  return slug !== '' && (await isArchived?.(slug)) ? GONE : NOT_FOUND;
};

/** Returns the libraries of the card fields that a page may show: none but where something is paid. */
const cardLibraries = async ({ access, options, path }: ShopRequest): Promise<readonly CardLibrary[]> => {
  if (!options.secrets || !isPaying(path)) return [];
  try {
    const { methods } = await openApi(access, null).api.payments.methods.list();
    return methods.flatMap(({ element }) => element ?? []);
  } catch (problem) {
    if (problem instanceof StoaError) return [];
    throw problem;
  }
};

const pageResponse = async (shopRequest: ShopRequest, order: PageOrder): Promise<Response> => {
  const { request, access, options } = shopRequest;
  const page = await renderPage(access, order);
  const status = page.status === NOT_FOUND ? await missingStatus(shopRequest) : page.status;
  const policy = await contentPolicy(options.setting, page.document, await cardLibraries(shopRequest));
  const shared = {
    'Content-Security-Policy': policy,
    'Content-Language': page.document.language,
    Vary: 'Accept-Encoding',
  };
  const { currency, frame } = page.state;
  const isShared =
    order.session === null && currency === frame.store.currency && !PERSONAL.test(order.path) && page.status < 500;
  const headers = isShared
    ? { ...shared, 'Cache-Control': SHARED_CACHE, ETag: await tagOf(page) }
    : { ...shared, 'Cache-Control': 'private, no-store', ...(page.status >= 500 && { 'Retry-After': '2' }) };
  if ('ETag' in headers && (request.headers.get('if-none-match') ?? '').includes(headers.ETag))
    return html(304, null, headers);
  return html(status, request.method === 'HEAD' ? null : streamPage(page), headers);
};

const orderOf = (
  { options: { base, files }, request, path, language, origin }: ShopRequest,
  session: string | null,
): PageOrder => ({
  path,
  language,
  currency: readCurrency(request.headers.get('cookie')),
  base,
  files,
  session,
  shopUrl: origin + base,
});

/** Includes other hosts of the shop's domain, because browsers send the `Lax` cookie with their forms. */
const isForeign = ({ headers }: Request): boolean => /^(?:cross|same)-site$/.test(headers.get('sec-fetch-site') ?? '');

const takeCartForm = async (shopRequest: ShopRequest): Promise<Response> => {
  const { request, options, access, origin, language, home, words } = shopRequest;
  if (isForeign(request)) return message(shopRequest, 403, words.text('foreign_form'));
  const form = await readCartForm(request);
  if (form === null) return message(shopRequest, 400, words.text('empty_form'));
  const known = readSession(request.headers.get('cookie'));
  const session = known ?? randomId();
  const refusal = await changeCart(openApi(access, session, language).api, form, words.text);
  if (refusal !== null) return message(shopRequest, 409, refusal);
  const cookie = sessionCookie(session, options.base, origin.startsWith('https:'));
  return new Response(null, {
    status: 303,
    headers: {
      Location: `${home}/cart`,
      'Cache-Control': 'no-store',
      ...(known === null && { 'Set-Cookie': cookie }),
    },
  });
};

/** A path within the shop; two slashes at its beginning would name another host. */
const PAGE = /^\/(?![/\\])[!-~]*$/;

const takeCurrencyForm = async (shopRequest: ShopRequest): Promise<Response> => {
  const { request, options, access, origin, home, words } = shopRequest;
  if (isForeign(request)) return message(shopRequest, 403, words.text('foreign_form'));
  const form = await readForm(request);
  const currency = form?.get('currency') ?? '';
  const { store } = await openApi(access, null).api.store.get({ fields: ['currency', 'currencies'] });
  if (!currenciesOf(store).includes(currency)) return message(shopRequest, 400, words.text('no_currency'));
  const page = form?.get('page') ?? '/';
  const path = PAGE.test(page) ? page : '/';
  return new Response(null, {
    status: 303,
    headers: {
      Location: (path === '/' ? home : home + path) || '/',
      'Cache-Control': 'no-store',
      'Set-Cookie': currencyCookie(currency, options.base, origin.startsWith('https:')),
    },
  });
};

const message = async (
  { options: { files, setting }, home, words }: ShopRequest,
  status: number,
  sentence: string,
): Promise<Response> =>
  html(status, messageDocument(sentence, { home, files, words }), {
    'Content-Security-Policy': await contentPolicy(setting),
    'Content-Language': words.language,
    'Cache-Control': 'no-store',
    ...(status === 503 && { 'Retry-After': '2' }),
  });

const redirect = (status: 301 | 302, location: string): Response =>
  new Response(null, {
    status,
    headers: { Location: location, 'Cache-Control': status === 301 ? SHARED_CACHE : 'no-store' },
  });

/** Returns a product's name in the address; empty on other pages. */
const productName = (path: string): string => {
  const { screen, name } = readAddress(path);
  return screen === 'products' ? name : '';
};

const SITEMAP = /^\/sitemap(?:-(\d{1,4}))?\.xml$/;
const SITE_FILE_CACHE = 'public, max-age=600';

const textResponse = ({ request }: ShopRequest, type: string, text: string): Response =>
  new Response(request.method === 'HEAD' ? null : text, {
    headers: { 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': SITE_FILE_CACHE },
  });

const sitemapResponse = async (shopRequest: ShopRequest, part: number | null): Promise<Response> => {
  const { addresses, origin, options } = shopRequest;
  const text = sitemap(await addresses(), part, origin + options.base);
  if (text === null) return message(shopRequest, NOT_FOUND, 'The sitemap has no such part.');
  return textResponse(shopRequest, 'application/xml', text);
};

const readLanguages = async (access: ApiAccess): Promise<ShopLanguages> =>
  (await openApi(access, null).api.store.get({ fields: ['language', 'languages'] })).store;

const robotsResponse = async (shopRequest: ShopRequest): Promise<Response> => {
  const { access, origin, options } = shopRequest;
  const store = await readLanguages(access);
  const homes = [store.language, ...store.languages].map((each) => options.base + languagePath(store, each, '/'));
  return textResponse(shopRequest, 'text/plain', robots(homes, origin + options.base));
};

/** Answers with the files that search engines ask for; null for all other paths. */
const siteFile = (shopRequest: ShopRequest): Promise<Response> | Response | null => {
  const { path, language } = shopRequest;
  // One file lists the pages in all languages.
  if (language !== null) return null;
  if (path === '/robots.txt') return robotsResponse(shopRequest);
  const found = SITEMAP.exec(path);
  return found ? sitemapResponse(shopRequest, found[1] === undefined ? null : Number(found[1])) : null;
};

const SERVER_CALL = /^\/server\/([^/?]*)$/;

const answer = (shopRequest: ShopRequest): Promise<Response> | Response => {
  const { request, url, path, options, call, address, language, home } = shopRequest;
  const [, name] = SERVER_CALL.exec(path) ?? [];
  if (call && language === null && name !== undefined) return call(request, name, address);
  if (request.method === 'POST' && path === '/cart') return takeCartForm(shopRequest);
  if (request.method === 'POST' && path === '/currency') return takeCurrencyForm(shopRequest);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } });
  // A mailed link brings its token to the first page; the account's screen redeems it.
  if (url.searchParams.has('token') && /^\/?\?/.test(path)) return redirect(302, `${home}/account${url.search}`);
  const [named = ''] = path.split('?', 1);
  if (named.length > 1 && named.endsWith('/')) return redirect(301, home + named.slice(0, -1) + url.search);
  const file = siteFile(shopRequest);
  if (file) return file;
  const slug = options.redirects?.get(productName(path));
  if (slug !== undefined) return redirect(301, `${home}/products/${encodeURIComponent(slug)}${url.search}`);
  const session = path.startsWith('/cart') ? readSession(request.headers.get('cookie')) : null;
  return pageResponse(shopRequest, orderOf(shopRequest, session));
};

/**
 * Reads the language that the address begins with. Redirects from the default language's name to the address without it. A
 * language that the store does not have stays part of the path, which names no page then.
 */
const inLanguage = async (shopRequest: ShopRequest): Promise<ShopRequest | Response> => {
  const { access, options } = shopRequest;
  const { language, path } = splitLanguage(shopRequest.path);
  if (language === null) return shopRequest;
  const store = await readLanguages(access);
  if (language === store.language) return redirect(301, options.base + languagePath(store, language, path) || '/');
  if (!store.languages.includes(language)) return shopRequest;
  const { language: known, texts } = textsIn(language);
  const home = `${options.base}/${language}`;
  return { ...shopRequest, path, language, home, words: wordsOf(known, texts) };
};

/** Answers every request at or below `base`. */
export const createShop = (options: ShopOptions): ShopHandler => {
  const { setting, apiUrl, base, fetch, secrets } = options;
  const call = secrets ? shopServer(apiUrl, secrets) : null;
  const isArchived = secrets ? archive(apiUrl, secrets) : null;
  const addresses = cachedAddresses(async () => {
    const { api } = openApi({ ...access, cache: new AnswerCache(0) }, null);
    const frame = await readFrame(api);
    return { addresses: await readAddresses(api, frame), languages: frame.store };
  });
  const access: ApiAccess = { setting, apiUrl, cache: new AnswerCache(CACHED_ANSWERS_MAX), fetch };
  return async (request, address) => {
    const url = new URL(request.url);
    // A link or redirect to `//name` would lead to another host.
    const pathname = url.pathname.slice(base.length).replace(/\/{2,}/g, '/');
    const whole = (pathname || '/') + url.search;
    const shopRequest: ShopRequest = {
      call,
      isArchived,
      addresses,
      address,
      options,
      access,
      request,
      url,
      path: whole,
      language: null,
      home: base,
      words: ENGLISH,
      origin: options.origin ?? url.origin,
    };
    try {
      const named = await inLanguage(shopRequest);
      const response = named instanceof Response ? named : await answer(named);
      response.headers.set('X-Content-Type-Options', 'nosniff');
      return response;
    } catch (problem) {
      if (!(problem instanceof StoaError)) throw problem;
      return message(shopRequest, 503, shopRequest.words.text('unreachable'));
    }
  };
};
