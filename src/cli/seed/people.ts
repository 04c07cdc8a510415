import { createPicker, createRandom, type Random } from './random.ts'
import { FAMILY_NAMES, GIVEN_NAMES, LANGUAGES, TOPICS, type Language } from './words.ts'

/** The accounts, ordered by creation. */
export interface People {
  readonly size: number
  /** The number of the first account. */
  readonly from: number
  /** The beginning and end of the generated time. */
  readonly startMs: number
  readonly endMs: number
  readonly createdMs: Float64Array
  readonly ids: readonly string[]
  readonly usernames: readonly string[]
  readonly displayNames: readonly string[]
  readonly notes: readonly string[]
  readonly languages: readonly Language[]
  readonly locked: Uint8Array
  readonly bots: Uint8Array
  /** 1: opted in, 0: opted out, 2: never chose. */
  readonly discoverable: Uint8Array
  readonly indexable: Uint8Array
}

const LOCKED_SHARE = 0.08
const BOT_SHARE = 0.02
const INDEXABLE_SHARE = 0.5
/** Growth: half of all accounts are created within the first third of the time. */
const GROWTH = 1.6

const generateFlags = (size: number, random: Random, probability: number): Uint8Array =>
  Uint8Array.from({ length: size }, () => (random.chance(probability) ? 1 : 0))

/**
 * The snowflake of a time: 48 bits of milliseconds, and 16 bits that distinguish ids of the same
 * millisecond.
 */
export const snowflakeAt = (ms: number, number: number): string =>
  ((BigInt(ms) << 16n) | BigInt(number & 0xffff)).toString()

function generateNote(random: Random, isBot: boolean): string {
  if (isBot) return `I post about ${random.pick(TOPICS)} by myself, every day. Questions go to a person: ask here.`
  const first = random.pick(TOPICS)
  const forms = [
    `${first}, mostly`,
    `Here for ${first} and ${random.pick(TOPICS)}.`,
    `${first} by day, ${random.pick(TOPICS)} by night.\n\nThey/she/he, whatever comes easily.`,
    `I write about ${first}. Sometimes about ${random.pick(TOPICS)}. Rarely about both at once.`,
    `Opinions are my own, and so is the garden. ${first} · ${random.pick(TOPICS)} · ${random.pick(TOPICS)}`,
    '',
  ]
  const note = random.pick(forms)
  return note.charAt(0).toUpperCase() + note.slice(1)
}

/**
 * Generates accounts.
 * @param from the number in the first name, so that names are new if there are seeded accounts
 * already
 */
export function generatePeople(options: {
  size: number
  startMs: number
  endMs: number
  seed: string
  from: number
}): People {
  const { size, startMs, endMs, seed, from } = options
  const random = createRandom(seed, 'people')
  const pickLanguage = createPicker(Float64Array.from(LANGUAGES, language => language.weight))
  const usernames: string[] = []
  const displayNames: string[] = []
  const notes: string[] = []
  const languages: Language[] = []
  const createdMs = new Float64Array(size)
  const bots = generateFlags(size, random, BOT_SHARE)
  for (let index = 0; index < size; index += 1) {
    const at = startMs + ((index + random.next()) / size) ** GROWTH * (endMs - startMs)
    createdMs[index] = Math.floor(Math.min(endMs - 1, Math.max(at, (createdMs[index - 1] ?? 0) + 1)))
    const givenName = random.pick(GIVEN_NAMES)
    const familyName = random.pick(FAMILY_NAMES)
    const isBot = bots[index] === 1
    usernames.push(
      `${givenName}${random.chance(0.3) ? '_' : ''}${random.chance(0.6) ? familyName : ''}${from + index}`.toLowerCase(),
    )
    displayNames.push(isBot ? `${familyName} bot` : random.chance(0.7) ? `${givenName} ${familyName}` : givenName)
    notes.push(generateNote(random, isBot))
    languages.push(LANGUAGES[pickLanguage(random)] ?? random.pick(LANGUAGES))
  }
  return {
    size,
    from,
    startMs,
    endMs,
    createdMs,
    ids: usernames.map((_, index) => snowflakeAt(createdMs[index] ?? 0, from + index)),
    usernames,
    displayNames,
    notes,
    languages,
    bots,
    locked: generateFlags(size, random, LOCKED_SHARE),
    discoverable: Uint8Array.from({ length: size }, () => (random.chance(0.7) ? 1 : random.chance(0.5) ? 0 : 2)),
    indexable: generateFlags(size, random, INDEXABLE_SHARE),
  }
}
