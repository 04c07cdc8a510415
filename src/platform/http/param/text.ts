import { ABSENT, define, elementsOf, type Options, type Outcome, type Param, INVALID, textOf } from './declare.ts'
import type { ParseContext } from './declare.ts'
import type { Schema } from './schema.ts'

export interface StringOptions extends Options<string> {
  /** The minimal length in characters (code points). */
  min?: number
  /** The maximal length in characters (code points). */
  max?: number
  /** Leading and trailing white space is removed first. */
  trim?: boolean
  /**
   * The effect of a blank text: `missing` counts as absent, `keep` is a normal value, `refuse` is a
   * 422 even when the parameter is optional. Default `missing` when required, else `keep`.
   */
  blank?: 'missing' | 'keep' | 'refuse'
  /** The allowed values; see also `enumeration`. */
  enum?: readonly string[]
}

type Text<O> = O extends { enum: readonly (infer E extends string)[] } ? E : string

/** A text. A number or boolean becomes its text; a list, an object or a file is a 422. */
export function string<const O extends StringOptions = object>(options?: O): Param<Outcome<Text<O>, O>> {
  const declared: StringOptions = options ?? {}
  const blank = declared.blank ?? (declared.optional || declared.default !== undefined ? 'keep' : 'missing')
  return define<Text<O>, O>(declared as O, describeText(declared), (value, place) => {
    const raw = textOf(value)
    if (raw === undefined) return place.refuseInvalid()
    const text = declared.trim ? raw.trim() : raw
    if (blank !== 'keep' && text.trim() === '')
      return blank === 'missing' ? ABSENT : place.refuse('ERR_BLANK', "can't be blank")
    return checkText(text, declared, place) ? (text as Text<O>) : INVALID
  })
}

function checkText(text: string, { min, max, enum: allowed }: StringOptions, place: ParseContext): boolean {
  if (max !== undefined && text.length > max && countCharacters(text) > max) {
    place.refuse('ERR_TOO_LONG', `is too long (maximum is ${characters(max)})`)
    return false
  }
  if (min !== undefined && countCharacters(text) < min) {
    place.refuse('ERR_TOO_SHORT', `is too short (minimum is ${characters(min)})`)
    return false
  }
  if (allowed && !allowed.includes(text)) {
    place.refuseUnlisted()
    return false
  }
  return true
}

export interface EnumerationOptions<E extends string> extends Options<E> {
  /**
   * Replaces any value that is not in the list, instead of the 422; null, also for what is no text,
   * leaves the decision to the operation.
   */
  fallback?: E | null
}

/** What stands for a value that is not in the list, beside the words. */
type Unlisted<O> = O extends { fallback: null } ? null : never

/**
 * One of a list of words; any other is a 422 `Label is not included in the list`. Blank counts as
 * absent.
 */
export function enumeration<const E extends string, const O extends EnumerationOptions<E> = object>(
  values: readonly E[],
  options?: O,
): Param<Outcome<E | Unlisted<O>, O>> {
  const declared: EnumerationOptions<E> = options ?? {}
  const { fallback } = declared
  return define<E | Unlisted<O>, O>(declared as O, { type: 'string', enum: values }, (value, place) => {
    const text = textOf(value)
    if (text === undefined) return fallback === null ? (null as Unlisted<O>) : place.refuseInvalid()
    if (text.trim() === '') return ABSENT
    const known = values.find(one => one === text)
    if (known !== undefined) return known
    return fallback === undefined ? place.refuseUnlisted() : (fallback as E | Unlisted<O>)
  })
}

export interface StringsOptions extends Options<readonly string[]> {
  /** The minimal number of elements; an empty list counts as absent when it is 1 or more. */
  min?: number
  /** The maximal number of elements. */
  max?: number
  /** The maximal length of each, in characters. */
  each?: number
  trim?: boolean
  /** Blank elements are removed unless this is set. */
  blank?: 'drop' | 'keep'
  /** The allowed elements. */
  enum?: readonly string[]
  /** The effect of an element that is not allowed: a 422, or it is omitted. Default `refuse`. */
  unknown?: 'refuse' | 'drop'
  /** A single text counts as a list of one; without this option it is ignored. */
  scalar?: boolean
}

/** Texts in the given order. */
export function strings<const O extends StringsOptions = object>(options?: O): Param<Outcome<readonly Text<O>[], O>> {
  const declared: StringsOptions = options ?? {}
  return define<readonly Text<O>[], O>(declared as O, describeTexts(declared), (value, place) => {
    const elements = elementsOf(value, declared.scalar)
    if (elements === undefined) return place.refuseInvalid()
    if (elements === ABSENT) return ABSENT
    const texts: string[] = []
    for (const element of elements) {
      const raw = element === null ? '' : textOf(element)
      if (raw === undefined) return place.refuseInvalid()
      const text = declared.trim ? raw.trim() : raw
      if (declared.blank !== 'keep' && text.trim() === '') continue
      if (declared.enum && declared.unknown === 'drop' && !declared.enum.includes(text)) continue
      texts.push(text)
    }
    return checkTexts(texts, declared, place) ?? (texts as Text<O>[])
  })
}

function checkTexts(
  texts: readonly string[],
  { min = 0, max, each, enum: allowed }: StringsOptions,
  place: ParseContext,
): typeof ABSENT | typeof INVALID | undefined {
  if (min > 0 && texts.length === 0) return ABSENT
  if (texts.length < min) return place.refuse('ERR_TOO_SHORT', `is too short (minimum is ${characters(min)})`)
  if (max !== undefined && texts.length > max)
    return place.refuse('ERR_TOO_LONG', `is too long (maximum is ${characters(max)})`)
  if (each !== undefined && texts.some(text => text.length > each && countCharacters(text) > each))
    return place.refuse('ERR_TOO_LONG', `is too long (maximum is ${characters(each)})`)
  return allowed && texts.some(text => !allowed.includes(text)) ? place.refuseUnlisted() : undefined
}

/** Code points, the measure of every length in the API except for statuses and bios. */
function countCharacters(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0xdc00 || code > 0xdfff) count++
  }
  return count
}

const characters = (count: number): string => (count === 1 ? '1 character' : `${count} characters`)

const describeText = ({ min, max, enum: allowed }: StringOptions): Schema => ({
  type: 'string',
  ...(min !== undefined && { minLength: min }),
  ...(max !== undefined && { maxLength: max }),
  ...(allowed && { enum: allowed }),
})

const describeTexts = ({ min, max, each, enum: allowed }: StringsOptions): Schema => ({
  type: 'array',
  items: { type: 'string', ...(each !== undefined && { maxLength: each }), ...(allowed && { enum: allowed }) },
  ...(min !== undefined && { minItems: min }),
  ...(max !== undefined && { maxItems: max }),
})
