// Lists every domain by name, for `STOA_DOMAINS`.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { agent } from '#services/agent/index.ts';
import { assistant } from '#services/assistant/index.ts';
import { audit } from '#services/audit/index.ts';
import { b2b } from '#services/b2b/index.ts';
import { cart } from '#services/cart/index.ts';
import { catalog } from '#services/catalog/index.ts';
import { channel } from '#services/channel/index.ts';
import { connect } from '#services/connect/index.ts';
import { content } from '#services/content/index.ts';
import { customer } from '#services/customer/index.ts';
import { limit } from '#services/limit/index.ts';
import { mail } from '#services/mail/index.ts';
import { marketplace } from '#services/marketplace/index.ts';
import { media } from '#services/media/index.ts';
import { message } from '#services/message/index.ts';
import { order } from '#services/order/index.ts';
import { payment } from '#services/payment/index.ts';
import { pricing } from '#services/pricing/index.ts';
import { privacy } from '#services/privacy/index.ts';
import { recommendation } from '#services/recommendation/index.ts';
import { report } from '#services/report/index.ts';
import { review } from '#services/review/index.ts';
import { sandbox } from '#services/sandbox/index.ts';
import { search } from '#services/search/index.ts';
import { shipping } from '#services/shipping/index.ts';
import { staff } from '#services/staff/index.ts';
import { stock } from '#services/stock/index.ts';
import { store } from '#services/store/index.ts';
import { webhook } from '#services/webhook/index.ts';

const DOMAINS: Readonly<Record<string, (runtime: Runtime) => Domain>> = {
  store,
  limit,
  catalog,
  stock,
  shipping,
  customer,
  staff,
  mail,
  pricing,
  search,
  recommendation,
  cart,
  payment,
  order,
  media,
  message,
  marketplace,
  review,
  agent,
  assistant,
  b2b,
  content,
  report,
  channel,
  connect,
  sandbox,
  privacy,
  audit,
  webhook,
};

export function chooseDomains(names: readonly string[]): ((runtime: Runtime) => Domain)[] {
  const chosen = names.length === 0 ? Object.keys(DOMAINS) : names;
  const absent = Object.keys(DOMAINS).filter((name) => !chosen.includes(name));
  // A sandbox's reset, the advance of its clock and the erasure of a person reach only domains in the same process.
  const whole = ['sandbox', 'privacy'].find((name) => chosen.includes(name));
  if (whole && absent.length > 0)
    throw new Error(`The domain "${whole}" is served where all domains are; there is no ${absent.join(', ')}.`);
  return chosen.map((name) => {
    const domain = DOMAINS[name];
    if (!domain) throw new Error(`There is no domain "${name}"; there are ${Object.keys(DOMAINS).join(', ')}.`);
    return domain;
  });
}
