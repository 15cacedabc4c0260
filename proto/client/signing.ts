// Signs requests with the store's HMAC secret, by WebCrypto: HMAC-SHA256 over `<timestamp>.<body>`.

export interface Signer {
  readonly sign: (body: string) => Promise<Readonly<Record<string, string>>>;
  /** Goes by the server's clock from here on: `date` is an answer's header of that name. */
  readonly follow: (date: string | null) => void;
}

export const createSigner = (secret: string): Signer => {
  const encoder = new TextEncoder();
  let key: Promise<CryptoKey> | undefined;
  let aheadMs = 0;

  return {
    sign: async (body) => {
      const timestamp = String(Math.floor((Date.now() + aheadMs) / 1_000));
      key ??= crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
        'sign',
      ]);
      const bytes = await crypto.subtle.sign('HMAC', await key, encoder.encode(`${timestamp}.${body}`));
      return { 'x-timestamp': timestamp, 'x-signature': btoa(String.fromCharCode(...new Uint8Array(bytes))) };
    },
    follow: (date) => {
      const there = Date.parse(date ?? '');
      if (!Number.isNaN(there)) aheadMs = there - Date.now();
    },
  };
};
