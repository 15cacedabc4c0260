// All that a screen imports from the frame. Components come from `edge/pages/design`; see `screen.ts` for how to add a screen.
export { at, go, goAfterSave, type QueryValues, useAddress, useFilters, useGuard } from './address.ts';
export {
  ChoiceFilter,
  ColumnFilter,
  DateFilter,
  FilterBar,
  SearchFilter,
  useColumnChoice,
  useStatus,
} from './filter.tsx';
export { type BoundField, FormSheet, type ScreenForm, useForm } from './form.tsx';
export { ListTable } from './list_table.tsx';
export { problemAt, problemOf, problemText, type ScreenProblem } from './problem.ts';
export { ProblemNote, WhenLoaded } from './problem_note.tsx';
export { type CursorRequest, type LoadedList, type LoadedRecord, useList, useRecord } from './record.ts';
export type { Area, ScreenProps, Screens } from './screen.ts';
export { useApi, useCall, useCan, useDashboard, useFormats, useStore, useTimezone } from './session.ts';
export { LanguageField, textBinding, useTranslation } from './translation.tsx';
export { type TextTable, textsOf, translationsOf, wholeTranslationsOf } from './translation_draft.ts';
export { type ScreenWrite, useWrite } from './write.ts';
