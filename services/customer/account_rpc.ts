// Handlers of Account: merchants manage customers, and customers read and change their own account.
import type { AccountRpcs } from '#proto/gen/account.ts';
import type { Address, AddressInput } from '#proto/gen/shared.ts';
import { foreignCursor, notFound, Refusal, refuse, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { isUniqueViolation } from '#runtime/call/fault.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { foreignPostalCode, halfPoint, wholeAddress } from '#services/commerce/address.ts';
import { changeTime, refuseOutdated } from '#services/commerce/record_version.ts';
import { unknownCountry } from '#services/commerce/shared_refusal.ts';
import { parseCountry } from '#values/country.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { tagOrNull } from '#values/language.ts';
import { normalEmail, typedName } from '#values/text.ts';
import { type CustomerRecord, customerDocument, newCustomer, previousAttributes } from './customer.ts';
import { deleteChallenges } from './table/challenge.ts';
import {
  emailIsTaken,
  findCustomer,
  insertCustomer,
  lockCustomer,
  pageOfCustomers,
  updateCustomer,
} from './table/customer.ts';
import { endCustomer } from './transaction.ts';

const REQUIRED_FIELDS = ['line1', 'city', 'country'] as const;

const readAddresses = (given: readonly AddressInput[]): Address[] | Refusal => {
  const read: Address[] = [];
  for (const [index, address] of given.entries()) {
    const missing = REQUIRED_FIELDS.find((name) => !address[name]?.trim());
    if (missing)
      return refuse('invalid_request', `The address lacks ${missing}. Send line1, city and country.`, {
        param: `addresses[${index}].${missing}`,
      });
    const country = parseCountry(address.country!);
    if (country === null) return unknownCountry(address.country!, `addresses[${index}].country`);
    const wrong = foreignPostalCode(address, `addresses[${index}]`) ?? halfPoint(address, `addresses[${index}]`);
    if (wrong) return wrong;
    read.push({ ...wholeAddress(address), country });
  }
  return read;
};

const LIMIT_DEFAULT = 20;

const EMAIL_TAKEN = refuse('conflict', 'Another customer has this e-mail address. Send a different email.', {
  param: 'email',
});
const EXTERNAL_ID_TAKEN = refuse('conflict', 'Another customer has this external_id. Send a different external_id.', {
  param: 'external_id',
});

export const accountHandlers = ({ clock, notices }: Runtime): Handlers<AccountRpcs> => {
  const notifyEdges = (tx: Transaction, tenant: Tenant, id: string): void =>
    tx.afterCommit(() => notices.publish({ kind: 'customers', tenant, ids: [id] }));

  const updateAndEmit = async (tx: Transaction, tenant: Tenant, before: CustomerRecord, after: CustomerRecord) => {
    try {
      await updateCustomer(tx.sql, tenant, after);
    } catch (problem) {
      // A concurrent request has taken the address since the check.
      if (isUniqueViolation(problem, 'customer_email')) return EMAIL_TAKEN;
      throw problem;
    }
    await tx.emit(tenant, [
      {
        type: 'customer.updated',
        object: customerDocument(after),
        previousAttributes: previousAttributes(before, after),
      },
    ]);
    notifyEdges(tx, tenant, after.id);
    return { customer: customerDocument(after) };
  };

  return {
    ListCustomers: query(async (sql, { tenant }, { email, group, search, limit = LIMIT_DEFAULT, cursor }) => {
      const filter = {
        email: email === undefined ? null : normalEmail(email),
        group: group === undefined ? null : typedName(group),
        search: search?.trim() || null,
      };
      const scope = JSON.stringify(['customers', tenantKey(tenant), ...Object.values(filter)]);
      const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
      if (cursor !== undefined && keys === null) return foreignCursor(cursor);
      const after = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
      const page = await pageOfCustomers(sql, tenant, filter, after, limit + 1);
      const rows = page.slice(0, limit);
      const last = page.length > limit ? rows[limit - 1]! : null;
      const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
      return {
        customers: rows.map(customerDocument),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),

    CreateCustomer: transaction(async (tx, { tenant }, { email, addresses = [], group, ...given }) => {
      const read = readAddresses(addresses);
      if (read instanceof Refusal) return read;
      const customer = newCustomer(
        { ...given, email: normalEmail(email), customer_group: group ? typedName(group) : null, addresses: read },
        clock.now(tenant),
      );
      const taken = await insertCustomer(tx.sql, tenant, customer);
      if (taken !== null) return taken === 'email' ? EMAIL_TAKEN : EXTERNAL_ID_TAKEN;
      await tx.emit(tenant, [{ type: 'customer.created', object: customerDocument(customer) }]);
      return { customer: customerDocument(customer) };
    }),

    // The edge has checked that the session belongs to the customer in the path, or that staff of the store call.
    GetCustomer: query(async (sql, { tenant }, { id }) => {
      const customer = await findCustomer(sql, tenant, id);
      return customer === null ? notFound('customer') : { customer: customerDocument(customer) };
    }),

    UpdateCustomer: transaction(
      async (tx, { tenant }, { id, version, email: typed, addresses, language, ...change }) => {
        const before = await lockCustomer(tx.sql, tenant, id);
        if (before === null) return notFound('customer');
        const outdated = refuseOutdated('customer', before, version);
        if (outdated) return outdated;
        const read = addresses === undefined ? before.addresses : readAddresses(addresses);
        if (read instanceof Refusal) return read;
        const email = typed === undefined ? before.email : normalEmail(typed);
        if (email !== before.email) {
          if (await emailIsTaken(tx.sql, tenant, email)) return EMAIL_TAKEN;
          await deleteChallenges(tx.sql, tenant, id);
        }
        return updateAndEmit(tx, tenant, before, {
          ...before,
          ...change,
          email,
          addresses: read,
          language: language === undefined ? before.language : tagOrNull(language),
          updated_at: changeTime(before, clock.now(tenant)),
        });
      },
    ),

    DeleteCustomer: transaction(async (tx, { tenant }, { id }) => {
      const customer = await endCustomer(tx, notices, tenant, id);
      return customer === null ? notFound('customer') : { deleted: true, id: customer.id };
    }),

    SetCustomerGroup: transaction(async (tx, { tenant }, { id, group, version }) => {
      const before = await lockCustomer(tx.sql, tenant, id);
      if (before === null) return notFound('customer');
      const outdated = refuseOutdated('customer', before, version);
      if (outdated) return outdated;
      return updateAndEmit(tx, tenant, before, {
        ...before,
        customer_group: group && typedName(group),
        updated_at: changeTime(before, clock.now(tenant)),
      });
    }),
  };
};
