// Lists the edge's HTML pages: path, methods and handler of each.
import type { RequestContext } from '#edge/request_context.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { MEDIA_PATH, TRIAL_CHANNEL_PATH, UNSUBSCRIBE_PATH } from '#services/commerce/public_path.ts';
import { connectPage } from './connect.ts';
import { consoleFiles } from './console.ts';
import { dashboardFiles } from './dashboard.ts';
import { openPictures } from './demo_picture.ts';
import { documentationAsset, documentationPage, specificationFile } from './documentation.ts';
import { guideFiles } from './guide.ts';
import { MAIL_PREVIEW_PATH, mailPreviewPage } from './mail_preview.ts';
import { mediaFile } from './media_file.ts';
import { payPage } from './pay.ts';
import { payElement } from './pay_element.ts';
import { OUTBOX_PATH, outboxPage } from './sandbox_outbox.ts';
import { storefrontRoutes } from './storefront.ts';
import { storefrontTowns } from './storefront_town.ts';
import { openTrialChannel } from './trial_channel.ts';
import { unsubscribePage } from './unsubscribe.ts';

export type Respond = (
  context: RequestContext,
  params: Record<string, string>,
) => Response | null | Promise<Response | null>;

export interface PageRoute {
  readonly path: string;
  readonly respond: Respond;
  /** GET also allows HEAD. */
  readonly verbs: readonly ('GET' | 'POST')[];
}

export interface PageDependencies {
  readonly wire: LinkClient;
  readonly publicUrl: () => string;
  /** Path of the file with the demo's keys; empty if there is no demo. */
  readonly demoFile: string;
  readonly demoPictures: string;
  readonly clientOf: (request: Request) => string;
}

export const pageRoutes = ({
  wire,
  publicUrl,
  demoFile,
  demoPictures,
  clientOf,
}: PageDependencies): readonly PageRoute[] => {
  const page = (path: string, respond: Respond, verbs: PageRoute['verbs'] = ['GET']): PageRoute => ({
    path,
    respond,
    verbs,
  });
  const pay = payPage(wire);
  const element = payElement(wire);
  const media = mediaFile(wire);
  const connect = connectPage(wire);
  const unsubscribe = unsubscribePage(wire);
  const towns = storefrontTowns();
  const picture = demoPictures === '' ? null : openPictures(demoPictures);
  return [
    ...(picture ? [page('/demo/pictures/:name', (_, { name = '' }) => picture(name))] : []),
    page(MEDIA_PATH, media),
    page(`${MEDIA_PATH}/:file`, media),
    page('/pay/element.js', element.script),
    page('/pay/:reference/element', (context, { reference = '' }) => element.frame(context, reference), [
      'GET',
      'POST',
    ]),
    page('/pay/:reference', (context, { reference = '' }) => pay(context, reference), ['GET', 'POST']),
    page('/connect/:ticket', (context, { ticket = '' }) => connect(context, ticket), ['GET', 'POST']),
    page(`${UNSUBSCRIBE_PATH}/:token`, (context, { token = '' }) => unsubscribe(context, token), ['GET', 'POST']),
    page(MAIL_PREVIEW_PATH, mailPreviewPage),
    page(OUTBOX_PATH, outboxPage),
    page(TRIAL_CHANNEL_PATH, openTrialChannel(), ['POST']),
    page('/openapi.json', specificationFile),
    page('/docs', documentationPage),
    page('/docs/:file', (context, { file = '' }) => documentationAsset(context, file)),
    page('/shop/towns/:file', (context, { file = '' }) => towns(context, file)),
    ...storefrontRoutes(demoFile, publicUrl, clientOf),
    ...[...consoleFiles(), ...dashboardFiles(demoFile), ...guideFiles()].map(({ path, respond }) =>
      page(path, respond),
    ),
  ];
};
