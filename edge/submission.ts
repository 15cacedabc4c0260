// Answers a request that has a body: reads the body, checks the signature and the idempotency key, validates the input,
// and calls the service.
import type { Route } from '#proto/route.ts';
import { type Idempotency, Refusal, refuse } from '#runtime/call/call.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import { parseStrict } from '#values/json.ts';
import { refusalResponse, UncachedResponses } from './answer.ts';
import type { Edge, Endpoint, Params, UrlParts } from './endpoint.ts';
import { type Body, readBody } from './gates/body.ts';
import { isAuth } from './gates/charge.ts';
import { readIdempotency } from './gates/idempotency.ts';
import { setLanguage } from './gates/language.ts';
import { hmacSecretsOf } from './gates/principal.ts';
import { badPath, readQuery } from './gates/query.ts';
import { checkSignature } from './gates/signature.ts';
import { hashOfToken, newSessionToken } from './gates/staff_session.ts';
import type { RequestContext } from './request_context.ts';
import { withRequestedId } from './requested_id.ts';

const PLAIN_BODY = { bytes_max: 1024 * 1024, raw: [] };

const withoutAbsent = (input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));

export class Submission {
  readonly #endpoint: Endpoint;
  readonly #route: Route;
  readonly #edge: Edge;
  readonly #responses: UncachedResponses;

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint;
    this.#route = endpoint.route;
    this.#edge = endpoint.edge;
    this.#responses = new UncachedResponses(endpoint.route);
  }

  async answer(
    context: RequestContext,
    target: UrlParts,
    params: Params,
    throttled: Refusal | null,
  ): Promise<Response> {
    context.isAsync = true;
    const shed = throttled ? null : this.#endpoint.shed(context);
    if (shed) return refusalResponse(context, shed);
    const body = await readBody(context.request, this.#route.body ?? PLAIN_BODY);
    // The latency is measured from here, because the upload's duration depends on the caller.
    const entry = this.#endpoint.admit(context);
    try {
      return await this.#answer(context, target, params, throttled, body);
    } finally {
      entry?.answered(performance.now());
    }
  }

  async #answer(
    context: RequestContext,
    target: UrlParts,
    params: Params,
    throttled: Refusal | null,
    body: Body | Refusal,
  ): Promise<Response> {
    const route = this.#route;
    const { request } = context;
    // Over the rate limit a caller may get the stored response of a retry; every other outcome becomes the 429.
    const refused = (refusal: Refusal): Response => refusalResponse(context, throttled ?? refusal);
    await this.#edge.tickBatcher.nextBatch();
    if (body instanceof Refusal) return refused(body);
    context.requestBody = body.bytes;

    // A session's cookie and its header cannot come from another site, so a role signs nothing.
    if (route.access.signed && context.principal?.role == null) {
      const nowMs = Date.now();
      const unsigned = checkSignature(request.headers, body.bytes, hmacSecretsOf(context.principal, nowMs), nowMs);
      if (unsigned) return refused(unsigned);
    }
    const session = this.#endpoint.sessionId(context);
    if (session instanceof Refusal) return refused(session);
    const idempotency = readIdempotency(
      isAuth(route.limit) ? null : request.headers.get('idempotency-key'),
      route.access.signed,
      `${route.verb} ${target.path}${this.#whose(context, session)}`,
      target.search,
      body.bytes,
    );
    if (idempotency instanceof Refusal) return refused(idempotency);

    const input = this.#input(context, body, target, params);
    if (input instanceof Refusal) return refused(input);
    const retry: Idempotency | null = idempotency && { ...idempotency, replayOnly: throttled !== null };
    const { outOfStock } = this.#edge;
    const attempt =
      retry || !context.principal ? null : outOfStock.attemptOf(route.rpc, context.principal.tenant, session, input);
    const outOfStockRefusal = attempt && outOfStock.refusal(attempt);
    if (outOfStockRefusal) return refused(outOfStockRefusal);
    if (context.principal) failpoint('socket', context.principal.tenant.store);
    const pending = this.#endpoint.callService(context, input, session, route.body?.raw.length ? body : null, retry);
    const answer = pending instanceof Promise ? await pending : pending;
    if (attempt && answer.refused) outOfStock.remember(attempt, answer.refused);
    if (answer.refused) return refused(withRequestedId(answer.refused, input, params));
    if (context.principal) this.#edge.freshness.applyWrite(context.principal.tenant, answer.dependsOn);
    if (answer.replayed && context.charge) this.#edge.throttle.refund(context.charge);
    return this.#responses.response(context, answer);
  }

  /**
   * Separates the idempotency keys of different shoppers. Signed calls are made by the store, and a retry may come
   * without a session.
   */
  #whose({ shopper }: RequestContext, session: string): string {
    if (this.#route.access.signed) return '';
    if (shopper) return ` customer ${shopper.customer}`;
    return session === '' ? '' : ` session ${session}`;
  }

  #input(context: RequestContext, body: Body, target: UrlParts, params: Params): Record<string, unknown> | Refusal {
    const { query, headers, body: limits } = this.#route;
    const named: Record<string, unknown> = {};
    const malformed = badPath(params) ?? readQuery(target.search, query, named);
    if (malformed) return malformed;
    Object.assign(named, params);
    // Set even if the header is absent, so that the body cannot supply this value.
    for (const { name, header } of headers) named[name] = context.request.headers.get(header) ?? undefined;
    if (this.#route.file_name !== undefined && body.fileName) named[this.#route.file_name] = body.fileName;
    if (this.#route.network !== undefined) named[this.#route.network] = context.network;
    if (this.#route.new_session !== undefined) {
      context.newSession = newSessionToken();
      named[this.#route.new_session] = hashOfToken(context.newSession);
    }
    let value: unknown = {};
    if (body.mediaType === 'application/json' && this.#route.file_name === undefined) {
      const read = parseStrict(body.bytes);
      if (!read.ok)
        return refuse('invalid_request', read.message, read.param === undefined ? {} : { param: read.param });
      value = read.value;
      if (value === null || typeof value !== 'object' || Array.isArray(value))
        return refuse('invalid_request', 'The body must be a JSON object.');
    }
    // An empty body is probably a mistake, and a PUT would erase the resource's content.
    else if (this.#route.verb === 'PUT' && body.bytes.length === 0)
      return refuse('invalid_request', 'A body is required.');
    const whole = Object.assign(value as Record<string, unknown>, named);
    const denied = this.#endpoint.subjectGate?.checkInput(context.shopper, whole, context.principal?.keyType);
    if (denied) return denied;
    const verdict = this.#endpoint.validate(whole);
    if (!verdict.ok) return refuse('invalid_request', verdict.message, verdict.param ? { param: verdict.param } : {});
    const { language } = this.#route;
    if (language !== undefined) {
      setLanguage(context, verdict.value[language]);
      verdict.value[language] = context.translation;
    }
    return limits?.raw.length ? withoutAbsent(named) : verdict.value;
  }
}
