// Lists the tests that `npm run test:slow` runs and `npm test` leaves out, because their subject takes minutes.

/** Globs, by what makes them slow. */
const SLOW: Readonly<Record<string, readonly string[]>> = {
  'kills, freezes and cuts power of real processes': [
    'test/faults/**/*.test.ts',
    'test/journeys/{host_*,edge_pair*}.test.ts',
    'test/services/runtime/actor/{data_loss,layout_table,loss}.test.ts',
    'test/services/runtime/postgres/{inbox,outbox,sandbox_lock}.test.ts',
    'test/services/runtime/{host/health,job/runner,nats/nats,postgres/migration}.test.ts',
    'test/services/sandbox/{lease,reset}.test.ts',
    'test/services/start.test.ts',
  ],
  'waits for retries, schedules and leases': [
    'test/services/channel/{attempt,clock_advance,sync_worker}.test.ts',
    'test/services/catalog/memory/pool.test.ts',
    'test/services/commerce/login_failure.test.ts',
    'test/services/mail/sender.test.ts',
    'test/services/privacy/erasure.test.ts',
    'test/services/report/recount.test.ts',
    'test/services/review/{change,rating_publisher}.test.ts',
    'test/services/webhook/dispatcher.test.ts',
    'test/services/catalog/ingestion/{job_run,worker}.test.ts',
    'test/services/runtime/postgres/postgres.test.ts',
    'test/services/search/index_storage.test.ts',
    'test/edge/request_span.test.ts',
    'test/journeys/{cold_write,edge_coherence,event,limit,real_catalogue,sleeping_merchant}.test.ts',
  ],
  'speaks with stand-ins of providers, carriers and assistants': [
    'test/edge/assistant/{acp,mcp,ucp}/**/*.test.ts',
    'test/edge/assistant/core.test.ts',
    'test/services/customer/assertion.test.ts',
    'test/services/payment/{authorization,capture,checkout,gateway,refund_outcome,settlement,starter,supersede}.test.ts',
    'test/services/payment/provider/stripe_element.test.ts',
    'test/services/webhook/ucp_order.test.ts',
    'test/services/search/semantic/embedded.test.ts',
    'test/services/shipping/carrier/carrier.test.ts',
  ],
  'plays long random histories': [
    'test/simulation/**/*.test.ts',
    'test/journeys/*history*.test.ts',
    'test/journeys/refund_history.test.ts',
    'test/services/catalog/memory/{part,stored_list}.test.ts',
    'test/services/runtime/actor/placement.test.ts',
    'test/services/stock/actor.test.ts',
  ],
  'drives a browser': [
    'test/edge/pages/console/**/*.test.ts',
    'test/edge/pages/{connect,console,dashboard,documentation,guide,outbox,pay,storefront}.test.ts',
    'test/edge/pages/{dashboard,design}/**/*.test.ts',
    'test/edge/pages/storefront/**/*.test.ts',
    'test/edge/pages/shop/checkout_document.test.ts',
    'test/journeys/{checkout,dashboard,lighthouse,newcomer}.test.ts',
    'test/proto/client/pack.test.ts',
  ],
  'installs, starts, backs up and imports by the command line': [
    'test/services/cli/{start,backup*,restore*,*_command,export*,installation,listen,stoa}.test.ts',
    'test/services/cli/shop/project.test.ts',
    'test/services/cli/trigger/action.test.ts',
    'test/services/cli/demo/**/*.test.ts',
    'test/journeys/compose.test.ts',
  ],
  'follows the guides word for word': [
    'test/journeys/{guide,recipe}.test.ts',
    'test/journeys/assistant_operation.test.ts',
  ],
  'races many assistants and shoppers': [
    'test/contracts/creation_race.test.ts',
    'test/journeys/{give_back,promotion}_race.test.ts',
    'test/journeys/{assistant,assistant_race,assistant_retry,crowd*,checkout_cost}.test.ts',
  ],
  'sends drawn bodies to every endpoint': ['test/contracts/{hostile,null}_input.test.ts'],
  'starts programs of the bench and the generator': ['test/bench/command.test.ts', 'test/proto/generate/main.test.ts'],
};

export const SLOW_TESTS: readonly string[] = Object.values(SLOW).flat();
