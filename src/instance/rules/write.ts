import type { Id } from '../../core/id.ts'
import { countCodePoints } from '../../core/text/index.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'

const changed = { id: c.id, events: c.events }
const add = query('instance/rules/add', { moderator: c.nullable(c.id), text: c.text, hint: c.text }, changed)
const change = query(
  'instance/rules/change',
  {
    moderator: c.nullable(c.id),
    rule: c.id,
    text: c.nullable(c.text),
    hint: c.nullable(c.text),
    language: c.nullable(c.text),
    position: c.nullable(c.integer),
  },
  changed,
)
const move = query('instance/rules/move', { moderator: c.nullable(c.id), rule: c.id, steps: c.integer }, changed)
const remove = query('instance/rules/delete', { moderator: c.nullable(c.id), rule: c.id }, changed)

export const MAX_RULE_CHARACTERS = 300

/** The error of a rule's text; undefined: none. */
export function ruleErrorOf(text: string): 'blank' | 'too_long' | undefined {
  if (text.trim() === '') return 'blank'
  return countCodePoints(text.trim()) > MAX_RULE_CHARACTERS ? 'too_long' : undefined
}

/** Adds a rule after the others and returns its id. `moderator` null: the operator. */
export async function addRule(
  { database }: Services,
  moderator: Id | null,
  { text, hint }: { readonly text: string; readonly hint: string },
): Promise<Id> {
  const added = await database.one(add, { moderator, text: text.trim(), hint: hint.trim() })
  if (!added) throw new Error('the rule was not stored')
  return added.id
}

/** Absent members stay unchanged. */
export interface RuleChange {
  readonly text?: string | undefined
  readonly hint?: string | undefined
  /** Text and hint are a translation into this language; a blank text removes it. */
  readonly language?: string | undefined
  readonly position?: number | undefined
}

/** Changes a rule or a translation of it; false if there is no such rule. */
export async function changeRule(
  { database }: Services,
  moderator: Id | null,
  rule: Id,
  { text, hint, language, position }: RuleChange,
): Promise<boolean> {
  const done = await database.one(change, {
    moderator,
    rule,
    text: text?.trim() ?? null,
    hint: hint?.trim() ?? null,
    language: language ?? null,
    position: position ?? null,
  })
  return done !== undefined
}

/** Exchanges a rule with the one before or after it; false if there is no such rule. */
export const moveRule = async (
  { database }: Services,
  moderator: Id | null,
  rule: Id,
  direction: 'up' | 'down',
): Promise<boolean> => (await database.one(move, { moderator, rule, steps: direction === 'up' ? -1 : 1 })) !== undefined

/** False if there is no such rule. */
export const deleteRule = async ({ database }: Services, moderator: Id | null, rule: Id): Promise<boolean> =>
  (await database.one(remove, { moderator, rule })) !== undefined
