// A service for embeddings that speaks the OpenAI form (`POST {base}/embeddings`): TEI, Ollama, vLLM and others do. The
// operator configures it, so its address is trusted; its answers are not.

export interface EndpointOptions {
  /** Up to `/embeddings`: `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly model: string;
  readonly apiKey: string | null;
  /** How long a shopper's query may wait for its embedding. */
  readonly queryTimeoutMs: number;
}

/** Products are embedded in the background, and many at once. */
export const BATCH_TEXTS = 64;
const BATCH_TIMEOUT_MS = 30_000;
const DIMENSIONS_MAX = 4_096;
const ANSWER_BYTES_MAX = 64 << 20;
/** Longer texts say nothing new, and small models refuse them. */
const TEXT_LENGTH_MAX = 1_500;

export class EmbeddingFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EmbeddingFailure';
  }
}

/** STOA_EMBEDDINGS_URL, _MODEL, _API_KEY and _TIMEOUT_MS; null where no service is configured: meanings are built in. */
export const endpointFrom = (environment: Readonly<Record<string, string | undefined>>): EndpointOptions | null => {
  const url = environment.STOA_EMBEDDINGS_URL;
  if (!url) return null;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new Error('STOA_EMBEDDINGS_URL is no http(s) URL.');
  }
  const model = environment.STOA_EMBEDDINGS_MODEL;
  if (!model) throw new Error('STOA_EMBEDDINGS_MODEL must name the model of STOA_EMBEDDINGS_URL.');
  const timeout = Number(environment.STOA_EMBEDDINGS_TIMEOUT_MS ?? 300);
  if (!(timeout >= 1 && timeout <= 5_000)) throw new Error('STOA_EMBEDDINGS_TIMEOUT_MS must be 1 to 5000.');
  return {
    url: url.replace(/\/+$/, ''),
    model,
    apiKey: environment.STOA_EMBEDDINGS_API_KEY || null,
    queryTimeoutMs: timeout,
  };
};

export class EmbeddingEndpoint {
  readonly #options: EndpointOptions;

  constructor(options: EndpointOptions) {
    this.#options = options;
  }

  get queryTimeoutMs(): number {
    return this.#options.queryTimeoutMs;
  }

  /** One vector a text, all of one length. At most `BATCH_TEXTS` texts. */
  async embed(texts: readonly string[], timeoutMs = BATCH_TIMEOUT_MS): Promise<Float32Array[]> {
    const { url, model, apiKey } = this.#options;
    if (texts.length > BATCH_TEXTS) throw new RangeError('Too many texts for one batch.');
    // The services refuse empty texts.
    const input = texts.map((text) => text.slice(0, TEXT_LENGTH_MAX).trim() || '-');
    let answer: unknown;
    try {
      const response = await fetch(`${url}/embeddings`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          ...(apiKey === null ? {} : { Authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ model, input, encoding_format: 'float' }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) throw new EmbeddingFailure(`The embedding service answers ${response.status}.`);
      if (Number(response.headers.get('content-length')) > ANSWER_BYTES_MAX) {
        throw new EmbeddingFailure('The embedding service answers too much.');
      }
      answer = await response.json();
    } catch (problem) {
      if (problem instanceof EmbeddingFailure) throw problem;
      throw new EmbeddingFailure('The embedding service gives no answer.', problem);
    }
    return read(answer, texts.length);
  }
}

const read = (answer: unknown, count: number): Float32Array[] => {
  const data = (answer as { data?: unknown } | null)?.data;
  if (!Array.isArray(data) || data.length !== count) {
    throw new EmbeddingFailure('The embedding service answers another number of vectors.');
  }
  const vectors: Float32Array[] = [];
  for (const [at, item] of data.entries()) {
    const { index = at, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown };
    if (!Number.isInteger(index) || Number(index) < 0 || Number(index) >= count || vectors[Number(index)]) {
      throw new EmbeddingFailure('The embedding service numbers its vectors wrongly.');
    }
    const numbers = Array.isArray(embedding) && embedding.every((each) => Number.isFinite(each));
    if (!numbers || embedding.length === 0 || embedding.length > DIMENSIONS_MAX) {
      throw new EmbeddingFailure('The embedding service answers something that is no vector.');
    }
    vectors[Number(index)] = Float32Array.from(embedding as number[]);
  }
  const dimensions = vectors[0]?.length;
  if (vectors.some(({ length }) => length !== dimensions)) {
    throw new EmbeddingFailure('The embedding service answers vectors of several lengths.');
  }
  return vectors;
};
