import { ABSENT, define, elementsOf, type Options, type Outcome, type Param, INVALID, textOf } from './declare.ts'
import type { ParseContext } from './declare.ts'
import type { Schema } from './schema.ts'

export interface StringOptions extends Options<string> {
  /** Least number of characters (code points). */
  min?: number
  /** Greatest number of characters (code points). */
  max?: number
  /** White space at both ends is taken off before anything else. */
  trim?: boolean
  /**
   * What a text of nothing but white space is: `missing` as if not given, `keep` a value like any other, `refuse` a 422 even when
   * the parameter is optional. Default `missing` when required, else `keep`.
   */
  blank?: 'missing' | 'keep' | 'refuse'
  /** The only values allowed; see also `enumeration`. */
  enum?: readonly string[]
}

type Text<O> = O extends { enum: readonly (infer E extends string)[] } ? E : string

/** A text. A number or true or false becomes its text; a list, an object or a file is a 422. */
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
  /** Taken for any value that is not in the list, instead of the 422. */
  fallback?: E
}

/** One of a list of words; any other is a 422 `Label is not included in the list`. Blank is not given. */
export function enumeration<const E extends string, const O extends EnumerationOptions<E> = object>(
  values: readonly E[],
  options?: O,
): Param<Outcome<E, O>> {
  const declared: EnumerationOptions<E> = options ?? {}
  return define<E, O>(declared as O, { type: 'string', enum: values }, (value, place) => {
    const text = textOf(value)
    if (text === undefined) return place.refuseInvalid()
    if (text.trim() === '') return ABSENT
    return values.find(known => known === text) ?? declared.fallback ?? place.refuseUnlisted()
  })
}

export interface StringsOptions extends Options<readonly string[]> {
  /** Least number of elements; an empty list counts as not given when it is 1 or more. */
  min?: number
  /** Greatest number of elements. */
  max?: number
  /** Greatest number of characters of each. */
  each?: number
  trim?: boolean
  /** Blank elements are left out unless kept. */
  blank?: 'drop' | 'keep'
  /** The only elements allowed. */
  enum?: readonly string[]
  /** What an element that is not allowed does: a 422, or it is left out. Default `refuse`. */
  unknown?: 'refuse' | 'drop'
  /** A single text counts as a list of one; otherwise it is ignored. */
  scalar?: boolean
}

/** Texts in the order given. */
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

/** Code points, as the length of a text is counted everywhere in the API except for statuses and bios. */
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
