// The audit log: who changed which record, with the values before and after.
import { useState } from 'preact/hooks';
import {
  DateFilter,
  FilterBar,
  ListTable,
  SearchFilter,
  useFilters,
  useFormats,
  useList,
  useTimezone,
} from '#edge/pages/dashboard/page.ts';
import { words } from '#edge/pages/dashboard/status.tsx';
import { Button } from '#edge/pages/design/button.tsx';
import { addDays, startOfDay } from '#edge/pages/design/day.ts';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { Empty, Facts, Note } from '#edge/pages/design/display.tsx';
import type { AuditRecord } from '#proto/client/dashboard.ts';
import { SettingsHead } from './head.tsx';

/** The beginning of an id tells people without a name apart; the record shows all of it. */
const shortActor = ({ actor: { name, kind, id } }: AuditRecord): string =>
  name ?? (id === null ? words(kind) : `${words(kind)} ${id.slice(0, 8)}`);

const wholeActor = ({ actor: { name, kind, id } }: AuditRecord): string =>
  [name, id, `(${words(kind)})`].filter((part) => part !== null).join(' ');

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

const RecordDialog = ({ record, close }: { readonly record: AuditRecord; readonly close: () => void }) => {
  const { moment } = useFormats();
  const { before, after } = record;
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return (
    <Dialog title={record.operation} close={close} wide>
      <Facts
        facts={[
          ['When', moment(record.created_at)],
          ['Who', wholeActor(record)],
          ['Record', `${record.resource.type} ${record.resource.id ?? ''}`],
          ['Endpoint', record.endpoint ?? '–'],
          ['Address', record.address ?? '–'],
          ['Request', record.request_id ?? '–'],
        ]}
      />
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <td>{field}</td>
              <td>{textOf(before?.[field])}</td>
              <td>{textOf(after?.[field])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {record.shortened && <Note>The record was longer. Its rest was not stored.</Note>}
      <div class="buttons">
        <Button tone="primary" press={close}>
          Close
        </Button>
      </div>
    </Dialog>
  );
};

/** `updateOrder` is `Update order`. */
const operationText = (operation: string): string =>
  words(operation.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

export const AuditLog = () => {
  const [query] = useFilters();
  const timezone = useTimezone();
  const { moment } = useFormats();
  const [shown, show] = useState<AuditRecord | null>(null);
  const to = query.get('to');
  const filters = Object.fromEntries(
    Object.entries({
      actor: query.get('actor'),
      resource: query.get('resource'),
      from: startOfDay(query.get('from') ?? '', timezone),
      to: to === null ? null : startOfDay(addDays(to, 1), timezone),
    }).filter(([, value]) => value !== null && value !== ''),
  );
  const list = useList((api, page) => api.auditLog.list({ ...page, ...filters }), 'audit_log', [
    JSON.stringify(filters),
  ]);
  return (
    <>
      <SettingsHead title="Audit log" />
      <FilterBar>
        <SearchFilter name="resource" label="Record" placeholder="product, or product:ID" />
        <SearchFilter name="actor" label="Who" placeholder="ID of a person or key" />
        <DateFilter name="from" label="From" />
        <DateFilter name="to" label="To" />
      </FilterBar>
      <ListTable<AuditRecord>
        label="Audit log"
        list={list}
        idOf={({ id }) => id}
        empty={
          <Empty title="No record matches" icon="file">
            <p>Writes of staff, keys and apps are recorded here for 400 days.</p>
          </Empty>
        }
        columns={[
          {
            id: 'operation',
            name: 'Write',
            cell: (record) => (
              <Button tone="quiet" press={() => show(record)}>
                {operationText(record.operation)}
              </Button>
            ),
          },
          { id: 'who', name: 'Who', cell: shortActor },
          {
            id: 'record',
            name: 'Record',
            desk: true,
            cell: ({ resource }) => `${resource.type} ${resource.id?.slice(0, 8) ?? ''}`,
          },
          { id: 'when', name: 'When', desk: true, cell: ({ created_at }) => moment(created_at) },
        ]}
      />
      {shown && <RecordDialog record={shown} close={() => show(null)} />}
    </>
  );
};
