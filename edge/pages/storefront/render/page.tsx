// Renders one page of the shop: asks the API for what the screen shows, then streams the document.
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { renderToReadableStream } from 'preact-render-to-string/stream';
import { readAddress } from '#edge/pages/storefront/address.ts';
import { AnswerContext, Answers } from '#edge/pages/storefront/answer.ts';
import { brandStyle } from '#edge/pages/storefront/brand.ts';
import type { PageState } from '#edge/pages/storefront/client.ts';
import { currencyShown } from '#edge/pages/storefront/currency.ts';
import { languagePath } from '#edge/pages/storefront/language_path.ts';
import { ShopPath } from '#edge/pages/storefront/link.tsx';
import { sessionScript } from '#edge/pages/storefront/session_cookie.ts';
import type { PageFiles } from '#edge/pages/storefront/setting.ts';
import { Shop } from '#edge/pages/storefront/shop.tsx';
import { wordsOf } from '#edge/pages/storefront/wording.ts';
import { WordsContext } from '#edge/pages/storefront/wording_context.ts';
import { type DocumentParts, documentEnd, documentStart } from './document.ts';
import { headOf } from './head.ts';
import { type ApiAccess, openApi, readFrame, servedShop } from './open.ts';
import { textsIn } from './shop_text.ts';
import { statusOf } from './status.ts';
import { structuredData } from './structured_data.ts';

/** A product's reviews are asked for with the id that its first answer brings. */
const ROUNDS_MAX = 3;

export interface PageOrder {
  /** Path and query within the shop, without the language. */
  readonly path: string;
  /** Language that the address names, one of the store's; null for its default one. */
  readonly language: string | null;
  /** Currency that the visitor chose; null for the store's. */
  readonly currency: string | null;
  /** Path at which the shop is served: empty or `/shop`. */
  readonly base: string;
  /** URL of the shop's first page, without a slash at its end. */
  readonly shopUrl: string;
  readonly files: PageFiles;
  /** Names the visitor's cart; null on pages that are the same for all visitors. */
  readonly session: string | null;
  /** A sentence about a form that was refused. */
  readonly notice?: string | undefined;
}

export interface RenderedPage {
  readonly status: number;
  readonly document: DocumentParts;
  readonly state: PageState;
  readonly contents: () => VNode;
}

export const renderPage = async (access: ApiAccess, order: PageOrder): Promise<RenderedPage> => {
  const { path, base, shopUrl, files, session } = order;
  const { api, exchanges } = openApi(access, session, order.language);
  const frame = await readFrame(api);
  const language = order.language ?? frame.store.language;
  const texts = textsIn(language);
  const words = wordsOf(texts.language, texts.texts);
  const home = base + languagePath(frame.store, language, '/');
  const currency = currencyShown(frame.store, order.currency);
  const address = readAddress(path);
  const answers = new Answers();
  const shop = servedShop({ api, setting: access.setting, frame, base, language, currency });
  const contents = (): VNode => (
    <ShopPath.Provider value={home}>
      <WordsContext.Provider value={words}>
        <AnswerContext.Provider value={{ answers, collects: true }}>
          <Shop shop={shop} first={address} />
        </AnswerContext.Provider>
      </WordsContext.Provider>
    </ShopPath.Provider>
  );
  for (let round = 0; round < ROUNDS_MAX; round++) {
    renderToString(contents());
    if (!(await answers.settled())) break;
  }
  const head = headOf({ shop, address, answers, words });
  return {
    status: statusOf(address, frame, answers),
    document: {
      head,
      language,
      shopUrl,
      storeName: frame.store.name,
      brand: brandStyle(frame.store.branding),
      sessionScript: sessionScript(base),
      icon: frame.store.logo_url,
      files,
      structured: structuredData({
        shop,
        address,
        answers,
        words,
        shopUrl: shopUrl + languagePath(frame.store, language, '/'),
      }),
    },
    state: {
      setting: access.setting,
      base,
      path,
      language,
      currency,
      texts: texts.language === 'en' ? null : texts,
      frame,
      answers: answers.table(),
      requests: exchanges,
    },
    contents,
  };
};

/** Sends the head first, with which the browser loads style and script while the rest is rendered. */
export const streamPage = ({ document, state, contents }: RenderedPage): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(encoder.encode(documentStart(document)));
      const reader = renderToReadableStream(contents()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) controller.enqueue(part.value);
      controller.enqueue(encoder.encode(documentEnd(state)));
      controller.close();
    },
  });
};
