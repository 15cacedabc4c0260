// A server that speaks the part of S3's protocol that the storage of files uses.
export interface ObjectServer {
  readonly url: string;
  /** Objects by bucket and key. */
  readonly objects: Map<string, { readonly bytes: Uint8Array; readonly contentType: string }>;
  /** Makes every request fail with this status; null: answers. */
  failure: number | null;
  /** Request lines with their range. */
  readonly requests: string[];
  stop(): Promise<void>;
}

const errorOf = (status: number, code: string): Response =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`, {
    status,
    headers: { 'Content-Type': 'application/xml' },
  });

export const startObjectServer = (): ObjectServer => {
  const objects: ObjectServer['objects'] = new Map();
  const requests: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const key = decodeURIComponent(new URL(request.url).pathname.slice(1));
      const range = request.headers.get('range');
      requests.push([request.method, key, range].filter(Boolean).join(' '));
      if (running.failure !== null) return errorOf(running.failure, 'SlowDown');
      if (!request.headers.get('authorization')?.includes('Credential=id/')) return errorOf(403, 'AccessDenied');
      if (request.method === 'PUT') {
        const contentType = request.headers.get('content-type') ?? '';
        objects.set(key, { bytes: await request.bytes(), contentType });
        return new Response(null, { headers: { ETag: '"1"' } });
      }
      if (request.method === 'DELETE') {
        objects.delete(key);
        return new Response(null, { status: 204 });
      }
      const found = objects.get(key);
      if (!found) return errorOf(404, 'NoSuchKey');
      const [, from = '0', to] = /^bytes=(\d+)-(\d+)?$/.exec(range ?? '') ?? [];
      const part = found.bytes.slice(Number(from), to === undefined ? undefined : Number(to) + 1);
      return new Response(part as Uint8Array<ArrayBuffer>, { status: range ? 206 : 200 });
    },
  });
  const running: ObjectServer = {
    url: `http://127.0.0.1:${server.port}`,
    objects,
    requests,
    failure: null,
    stop: () => server.stop(true),
  };
  return running;
};
