// Stores files in S3 or a service that speaks its protocol, each under its key below a prefix.
import { S3Client } from 'bun';
import type { TenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { S3Settings } from '#runtime/process/setting.ts';
import type { Storage } from './storage.ts';

/** An upload of the largest file over a slow line takes a few seconds. */
const PUT_MS = 20_000;
const READ_MS = 5_000;

const isMissing = (problem: unknown): boolean =>
  ['NoSuchKey', 'NotFound'].includes(String((problem as { code?: unknown }).code));

const unavailable = (cause: unknown): Unavailable =>
  new Unavailable('The storage of files does not answer.', { cause });

/** Bun cannot end a call to S3, so a late answer is ignored. */
const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error(`No answer within ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

export const s3Storage = ({ prefix, ...options }: S3Settings): Storage => {
  const client = new S3Client(options);
  const pathOf = (key: TenantKey): string => `${prefix}${key}`;
  return {
    async put(key, bytes, contentType) {
      try {
        await within(PUT_MS, client.write(pathOf(key), bytes, { type: contentType }));
      } catch (problem) {
        throw unavailable(problem);
      }
    },
    async read(key, from, length) {
      try {
        return await within(
          READ_MS,
          client
            .file(pathOf(key))
            .slice(from, from + length)
            .bytes(),
        );
      } catch (problem) {
        if (isMissing(problem)) return null;
        throw unavailable(problem);
      }
    },
    async delete(key) {
      try {
        await within(READ_MS, client.delete(pathOf(key)));
      } catch (problem) {
        if (!isMissing(problem)) throw unavailable(problem);
      }
    },
  };
};
