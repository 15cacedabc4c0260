// Takes in an upload: judges its content, stores its files, and records them. The files belong to a leftover until the
// transaction that records them, so that an upload that breaks off leaves nothing.
import { randomUUID } from 'node:crypto';
import type { MediaResponse, UploadMediaRequest } from '#proto/gen/media.ts';
import { type Call, invalid, quoted, Refusal, refuse } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { type Staged, staged } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { AdmissionQueue } from '#runtime/flow/admission_queue.ts';
import type { Storage } from '#runtime/storage/storage.ts';
import { keyOf, keysOf, MAIN, mediaDocument } from './file.ts';
import { formatOf } from './format.ts';
import { type Picture, readPicture, Unfit } from './picture.ts';
import { deleteLeftover, insertLeftover, insertMedia, type MediaRecord } from './table/media.ts';
import { readVideo } from './video.ts';

const FILE_BYTES_MAX = 20 * 1024 * 1024;

/** A picture takes up to 300 MB of memory while it is decoded, so one is decoded at a time. */
const decoding = () =>
  new AdmissionQueue({
    runningMax: 1,
    waitingMax: 8,
    waitMsMax: 30_000,
    refusal: refuse('service_unavailable', 'The queue of uploads is full. Retry after 5 seconds.', { retryAfterS: 5 }),
  });

type Judged = Pick<Picture, 'width' | 'height' | 'contentType' | 'bytes' | 'renditions'> & Pick<MediaRecord, 'type'>;

interface StoredUpload {
  readonly id: string;
  readonly judged: Judged;
}

const judgeVideo = (bytes: Uint8Array): Judged | Unfit => {
  const video = readVideo(bytes);
  if (video === null) return new Unfit('is damaged, since its content cannot be read as an MP4 with a picture track');
  return { ...video, type: 'video', contentType: 'video/mp4', renditions: [] };
};

const judge = async (bytes: Uint8Array): Promise<Judged | Unfit> => {
  const format = formatOf(bytes);
  if (format === null) return new Unfit('is no JPEG, PNG, WebP, AVIF, GIF or MP4 by its content');
  if (format === 'mp4') return judgeVideo(bytes);
  const picture = await readPicture(bytes, format);
  return picture instanceof Unfit ? picture : { ...picture, type: 'image' };
};

const judgedFile = async (
  queue: AdmissionQueue,
  bytes: Uint8Array,
  name: string | undefined,
): Promise<Judged | Refusal> => {
  if (bytes.length === 0)
    return invalid('file', 'The file is empty. Send its bytes as the body, or as `file` of a form.');
  if (bytes.length > FILE_BYTES_MAX)
    return refuse('payload_too_large', `The file is larger than ${FILE_BYTES_MAX} bytes.`, { param: 'file' });
  const judged = await queue.run(() => judge(bytes));
  if (!(judged instanceof Unfit)) return judged;
  return invalid('file', `${name === undefined ? 'The file' : `The file ${quoted(name)}`} ${judged.reason}.`);
};

const recordOf = ({ id, judged }: StoredUpload, name: string | undefined, createdAt: Date): MediaRecord => ({
  id,
  type: judged.type,
  content_type: judged.contentType,
  name: name ?? null,
  width: judged.width,
  height: judged.height,
  bytes: judged.bytes.length,
  renditions: judged.renditions.map(({ bytes, ...rendition }) => ({ ...rendition, bytes: bytes.length })),
  created_at: createdAt,
});

export const uploading = (
  runtime: Runtime,
  storage: Storage,
): Staged<UploadMediaRequest, MediaResponse, StoredUpload> => {
  const { postgres, clock, settings } = runtime;
  const queue = decoding();

  const store = async (call: Call, judged: Judged): Promise<string> => {
    const id = randomUUID();
    await insertLeftover(postgres.sql, call.tenant, id, new Date(clock.real()));
    try {
      await storage.put(keyOf(call.tenant, id, MAIN), judged.bytes, judged.contentType);
      for (const { file, bytes } of judged.renditions)
        await storage.put(keyOf(call.tenant, id, file), bytes, 'image/webp');
    } catch (problem) {
      await discard(call, id).catch(() => {});
      throw problem;
    }
    return id;
  };

  const discard = async ({ tenant }: Call, id: string): Promise<void> => {
    for (const key of keysOf(tenant, id)) await storage.delete(key);
    await deleteLeftover(postgres.sql, tenant, id);
  };

  return staged({
    ownsPrepared: true,
    prepare: async (call, { name }) => {
      const judged = await judgedFile(queue, call.rawBody, name);
      return judged instanceof Refusal ? judged : { id: await store(call, judged), judged };
    },
    run: async (tx, { tenant }, { name }, upload) => {
      if (!(await deleteLeftover(tx.sql, tenant, upload.id))) throw new Unavailable('The upload took too long.');
      const record = recordOf(upload, name, clock.now(tenant));
      await insertMedia(tx.sql, tenant, record);
      return { media: mediaDocument(settings.publicUrl, tenant, record) };
    },
    undo: (call, { id }) => discard(call, id),
  });
};
