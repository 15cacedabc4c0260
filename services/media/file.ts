// The files of a picture or video in the storage.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { RENDITION_WIDTHS } from '#services/commerce/public_path.ts';

/** The file that the address itself serves. */
export const MAIN = 'main';

const FILES: readonly string[] = [MAIN, ...RENDITION_WIDTHS.map(String)];

export const keyOf = (tenant: Tenant, id: string, file: string): TenantKey => tenantKey(tenant, `${id}/${file}`);

export const keysOf = (tenant: Tenant, id: string): TenantKey[] => FILES.map((file) => keyOf(tenant, id, file));
