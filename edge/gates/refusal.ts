// Maps refusal codes to HTTP statuses.
import type { Refusal, RefusalCode } from '#runtime/call/call.ts';

export const STATUS: Readonly<Record<RefusalCode, number>> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  quota_exceeded: 429,
  server_error: 500,
  service_unavailable: 503,
  shipping_not_deliverable: 400,
  amount_mismatch: 400,
  insufficient_stock: 409,
  promotion_not_applicable: 400,
  gift_card_not_applicable: 400,
  currency_not_available: 409,
  payment_declined: 402,
  payment_not_captured: 409,
  idempotency_conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  method_not_allowed: 405,
};

const statuses = new WeakMap<Refusal, number>();

export const withStatus = (refusal: Refusal, status: number): Refusal => {
  statuses.set(refusal, status);
  return refusal;
};

export const statusOf = (refusal: Refusal): number => statuses.get(refusal) ?? STATUS[refusal.code];
