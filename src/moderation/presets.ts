import { ApiError, fieldErrors, type FieldError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import { countCodePoints } from '../core/text/index.ts'
import { c, query, type Runner } from '../platform/database/index.ts'

const PRESET = { id: c.id, title: c.text, text: c.text } as const
const listing = query('moderation/list_presets', {}, PRESET)
const finding = query('moderation/find_preset', { id: c.id }, PRESET)
const saving = query(
  'moderation/save_preset',
  { moderator: c.nullable(c.id), id: c.nullable(c.id), title: c.text, text: c.text },
  { id: c.id, entry: c.id },
)
const removing = query('moderation/remove_preset', { moderator: c.nullable(c.id), id: c.id }, { id: c.id, entry: c.id })

const MAX_TITLE = 255
const MAX_TEXT = 10_000

/** A text that moderators choose for the message of a strike. */
export interface WarningPreset {
  readonly id: Id
  /** For moderators only; may be empty. */
  readonly title: string
  readonly text: string
}

export type WarningPresetInput = Omit<WarningPreset, 'id'>

/** All presets, by title. */
export const listWarningPresets = (runner: Runner): Promise<WarningPreset[]> => runner.run(listing, {})

export const findWarningPreset = (runner: Runner, id: Id): Promise<WarningPreset | undefined> =>
  runner.one(finding, { id })

/**
 * Creates a preset, with an entry in the audit log.
 * @param moderator null for the operator
 * @throws ApiError validation, with `details` by field
 */
export async function createWarningPreset(
  runner: Runner,
  moderator: Id | null,
  input: WarningPresetInput,
): Promise<Id> {
  const added = await runner.one(saving, { moderator, id: null, ...check(input) })
  if (!added) throw new Error('the preset was not stored')
  return added.id
}

/** Changes a preset, with an entry in the audit log. @throws ApiError notFound, validation */
export async function changeWarningPreset(
  runner: Runner,
  moderator: Id | null,
  id: Id,
  input: WarningPresetInput,
): Promise<void> {
  if (!(await runner.one(saving, { moderator, id, ...check(input) }))) throw new ApiError('notFound')
}

/** Deletes a preset, with an entry in the audit log. @throws ApiError notFound */
export async function deleteWarningPreset(runner: Runner, moderator: Id | null, id: Id): Promise<void> {
  if (!(await runner.one(removing, { moderator, id }))) throw new ApiError('notFound')
}

/**
 * The message of a strike: a preset and a text of the moderator's own, separated by an empty line.
 */
export const messageOf = (preset: WarningPreset | undefined, text: string): string =>
  [preset?.text ?? '', text.trim()].filter(part => part !== '').join('\n\n')

function check({ title, text }: WarningPresetInput): { title: string; text: string } {
  const trimmed = { title: title.trim(), text: text.trim() }
  const errors: FieldError[] = []
  if (countCodePoints(trimmed.title) > MAX_TITLE)
    errors.push({ field: 'title', code: 'ERR_TOO_LONG', message: `is too long (maximum is ${MAX_TITLE} characters)` })
  if (trimmed.text === '') errors.push({ field: 'text', code: 'ERR_BLANK', message: "can't be blank" })
  if (countCodePoints(trimmed.text) > MAX_TEXT)
    errors.push({ field: 'text', code: 'ERR_TOO_LONG', message: `is too long (maximum is ${MAX_TEXT} characters)` })
  if (errors.length > 0) throw fieldErrors(...errors)
  return trimmed
}
