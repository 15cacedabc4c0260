// Handlers of pictures and videos, for a store's keys and for edges that serve the files.
import type { MediaDirectoryRpcs, MediaRpcs, ReadFileRequest, ReadFileResponse } from '#proto/gen/media.ts';
import { foreignCursor, notFound, Rendered, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, read, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { PART_BYTES, type Storage } from '#runtime/storage/storage.ts';
import { mediaUrl } from '#services/commerce/public_path.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { keyOf, MAIN, mediaDocument } from './file.ts';
import { deleteMedia, findMedia, knownMedia, pageOfMedia } from './table/media.ts';
import { uploading } from './upload.ts';

const LIMIT_DEFAULT = 20;

export const mediaHandlers = (runtime: Runtime, storage: Storage): Handlers<MediaRpcs> => {
  const { settings } = runtime;
  return {
    ListMedia: query(async (sql, { tenant }, { limit = LIMIT_DEFAULT, cursor, type = null }) => {
      const scope = JSON.stringify(['media', tenantKey(tenant), type]);
      const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
      if (cursor !== undefined && keys === null) return foreignCursor(cursor);
      const after = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
      const page = await pageOfMedia(sql, tenant, type, after, limit + 1);
      const rows = page.slice(0, limit);
      const last = page.length > limit ? rows.at(-1)! : null;
      const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
      return {
        media: rows.map((row) => mediaDocument(settings.publicUrl, tenant, row)),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),

    UploadMedia: uploading(runtime, storage),

    GetMedia: query(async (sql, { tenant }, { id }) => {
      const found = await findMedia(sql, tenant, id);
      return found === null ? notFound('media') : { media: mediaDocument(settings.publicUrl, tenant, found) };
    }),

    DeleteMedia: transaction(async ({ sql }, { tenant }, input) => {
      const id = input.id.toLowerCase();
      return (await deleteMedia(sql, tenant, id)) ? { deleted: true, id } : notFound('media');
    }),
  };
};

export const directoryHandlers = (
  { settings }: Pick<Runtime, 'settings'>,
  storage: Storage,
): Handlers<MediaDirectoryRpcs> => ({
  FindAddresses: query(async (sql, { tenant }, { ids }) => {
    const found = await knownMedia(sql, tenant, ids);
    return { addresses: found.map((id) => ({ id, url: mediaUrl(settings.publicUrl, tenant, id) })) };
  }),

  FindFile: query(async (sql, { tenant }, { id, width }) => {
    const found = await findMedia(sql, tenant, id);
    if (found === null) return notFound('media');
    if (width === undefined) return { file: MAIN, content_type: found.content_type, bytes: found.bytes };
    const rendition = found.renditions.find((each) => Number(each.file) >= width) ?? found.renditions.at(-1);
    if (rendition === undefined) return notFound('rendition');
    return { file: rendition.file, content_type: 'image/webp', bytes: rendition.bytes };
  }),

  ReadFile: read<ReadFileRequest, ReadFileResponse>(async ({ tenant }, { id, file, from, length }) => {
    const part = await storage.read(keyOf(tenant, id, file), from, Math.min(length, PART_BYTES));
    return part === null ? notFound('file') : new Rendered(part);
  }),
});
