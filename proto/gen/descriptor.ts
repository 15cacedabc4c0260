// Generated from stoa/v1/*.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { GenFile } from '@bufbuild/protobuf/codegenv2';
import { file_stoa_v1_shared } from './es/stoa/v1/shared_pb.ts';
import { file_stoa_v1_stock } from './es/stoa/v1/stock_pb.ts';
import { file_stoa_v1_order } from './es/stoa/v1/order_pb.ts';
import { file_stoa_v1_pricing } from './es/stoa/v1/pricing_pb.ts';
import { file_stoa_v1_shipping } from './es/stoa/v1/shipping_pb.ts';
import { file_stoa_v1_agent } from './es/stoa/v1/agent_pb.ts';
import { file_stoa_v1_cart } from './es/stoa/v1/cart_pb.ts';
import { file_stoa_v1_catalog } from './es/stoa/v1/catalog_pb.ts';
import { file_stoa_v1_console } from './es/stoa/v1/console_pb.ts';
import { file_stoa_v1_customer } from './es/stoa/v1/customer_pb.ts';
import { file_stoa_v1_ingestion } from './es/stoa/v1/ingestion_pb.ts';
import { file_stoa_v1_payment } from './es/stoa/v1/payment_pb.ts';
import { file_stoa_v1_store } from './es/stoa/v1/store_pb.ts';
import { file_stoa_v1_value } from './es/stoa/v1/value_pb.ts';
import { file_stoa_v1_event } from './es/stoa/v1/event_pb.ts';
import { file_stoa_v1_feed } from './es/stoa/v1/feed_pb.ts';
import { file_stoa_v1_limit } from './es/stoa/v1/limit_pb.ts';
import { file_stoa_v1_link } from './es/stoa/v1/link_pb.ts';
import { file_stoa_v1_mail } from './es/stoa/v1/mail_pb.ts';
import { file_stoa_v1_message } from './es/stoa/v1/message_pb.ts';
import { file_stoa_v1_meta } from './es/stoa/v1/meta_pb.ts';
import { file_stoa_v1_recommendation } from './es/stoa/v1/recommendation_pb.ts';
import { file_stoa_v1_sandbox } from './es/stoa/v1/sandbox_pb.ts';
import { file_stoa_v1_search } from './es/stoa/v1/search_pb.ts';
import { file_stoa_v1_webhook } from './es/stoa/v1/webhook_pb.ts';

export const descriptors: readonly GenFile[] = [file_stoa_v1_shared, file_stoa_v1_stock, file_stoa_v1_order, file_stoa_v1_pricing, file_stoa_v1_shipping, file_stoa_v1_agent, file_stoa_v1_cart, file_stoa_v1_catalog, file_stoa_v1_console, file_stoa_v1_customer, file_stoa_v1_ingestion, file_stoa_v1_payment, file_stoa_v1_store, file_stoa_v1_value, file_stoa_v1_event, file_stoa_v1_feed, file_stoa_v1_limit, file_stoa_v1_link, file_stoa_v1_mail, file_stoa_v1_message, file_stoa_v1_meta, file_stoa_v1_recommendation, file_stoa_v1_sandbox, file_stoa_v1_search, file_stoa_v1_webhook];
