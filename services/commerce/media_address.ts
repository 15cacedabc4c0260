// Builds addresses of uploaded pictures and videos. An address names the tenant, so each record is looked up within its
// tenant.
import type { Tenant } from '#runtime/call/call.ts';

/** `:file` is a rendition, such as `800.webp`. */
export const MEDIA_PATH = '/media/:store/:environment/:id';

export const mediaUrl = (publicUrl: string, { store, environment }: Tenant, id: string): string =>
  `${publicUrl}/media/${store}/${environment}/${id}`;

export const renditionUrl = (url: string, file: string): string => `${url}/${file}.webp`;

export const RENDITION_WIDTHS = [320, 800, 1600] as const;
