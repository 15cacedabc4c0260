// Client of an embedding service with OpenAI's interface (`POST {base}/embeddings`), which TEI, Ollama and vLLM offer.
// The configured address is trusted, but responses are validated.
import { readBounded } from '#runtime/outbound/response_body.ts';
import type { EmbeddingSettings } from '#runtime/process/setting.ts';

export const BATCH_TEXTS = 64;
const BATCH_TIMEOUT_MS = 30_000;
const DIMENSIONS_MAX = 4_096;
const ANSWER_BYTES_MAX = 64 << 20;
/** Texts are cut to this length, because small models refuse longer ones. */
const TEXT_LENGTH_MAX = 1_500;

export class EmbeddingFailure extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'EmbeddingFailure';
  }
}

export class EmbeddingEndpoint {
  readonly #options: EmbeddingSettings;

  constructor(options: EmbeddingSettings) {
    this.#options = options;
  }

  get queryTimeoutMs(): number {
    return this.#options.queryTimeoutMs;
  }

  async embed(texts: readonly string[], timeoutMs = BATCH_TIMEOUT_MS): Promise<Float32Array[]> {
    const { url, model, apiKey } = this.#options;
    if (texts.length > BATCH_TEXTS) throw new RangeError('Too many texts for one batch.');
    // Replaces empty texts, which services refuse.
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
      const body = await readBounded(response, ANSWER_BYTES_MAX);
      if (body === null) throw new EmbeddingFailure('The embedding service answers too much.');
      answer = JSON.parse(new TextDecoder().decode(body));
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
