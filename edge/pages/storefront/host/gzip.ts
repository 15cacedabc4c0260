// Compresses responses as they are sent, for hosts that do not do it themselves.

const COMPRESSED = /^(text\/|application\/(json|xml|javascript|manifest\+json)|image\/svg)/;

export const gzipped = (request: Request, response: Response): Response => {
  const { body, headers, status } = response;
  const accepts = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\b)/i.test(request.headers.get('accept-encoding') ?? '');
  if (!body || !accepts || headers.has('content-encoding')) return response;
  if (!COMPRESSED.test(headers.get('content-type') ?? '')) return response;
  const sent = new Headers(headers);
  sent.delete('content-length');
  sent.set('Content-Encoding', 'gzip');
  if (!/accept-encoding/i.test(sent.get('vary') ?? '')) sent.append('Vary', 'Accept-Encoding');
  return new Response(body.pipeThrough(new CompressionStream('gzip')), { status, headers: sent });
};
