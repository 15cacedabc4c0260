// The document of a picture or video, as callers see it.
import type { StoredMedia } from '#proto/gen/media.ts';
import type { Tenant } from '#runtime/call/call.ts';
import { mediaUrl, renditionUrl } from '#services/commerce/public_path.ts';
import type { MediaRecord } from './table/media.ts';

export const mediaDocument = (publicUrl: string, tenant: Tenant, media: MediaRecord): StoredMedia => {
  const url = mediaUrl(publicUrl, tenant, media.id);
  return {
    id: media.id,
    url,
    type: media.type,
    width: media.width,
    height: media.height,
    content_type: media.content_type,
    bytes: media.bytes,
    name: media.name,
    renditions: media.renditions.map(({ file, width }) => ({ width, url: renditionUrl(url, file) })),
    created_at: media.created_at.toISOString(),
  };
};
