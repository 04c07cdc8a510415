import { type EmojiRow, toEmojis } from '../../media/custom_emojis/index.ts'
import type { Id } from '../../core/id.ts'

/** A poll, as `poll_json` in SQL makes it. */
export interface PollRow {
  readonly id: Id
  readonly options: readonly string[]
  readonly tallies: readonly number[]
  /** Null when the author's server does not say it. */
  readonly voters_count: number | null
  readonly multiple: boolean
  readonly hide_totals: boolean
  /** Milliseconds since the epoch; null for never. */
  readonly expires_at_ms: number | null
  readonly emojis: readonly EmojiRow[] | null
}

/** A poll as text without viewer data, before its end and after. */
export interface PollFragment {
  readonly id: Id
  readonly options: readonly string[]
  /** Milliseconds since the epoch. */
  readonly endsAtMs: number
  readonly running: string
  readonly ended: string
}

/** The viewer's state of a poll. */
export interface Voter {
  readonly isAuthor: boolean
  /** Indexes of the options that the viewer chose, in order. */
  readonly choices: readonly number[]
}

/** @param fileUrl the public URL of a stored file */
export function toPollFragment(row: PollRow, fileUrl: (key: string) => string): PollFragment {
  const emojis = toEmojis(row.emojis, () => row.options.join(' '), fileUrl)
  const text = (expired: boolean): string =>
    JSON.stringify({
      id: row.id,
      expires_at: row.expires_at_ms === null ? null : new Date(row.expires_at_ms),
      expired,
      multiple: row.multiple,
      votes_count: row.tallies.reduce((sum, tally) => sum + tally, 0),
      voters_count: row.voters_count,
      options: row.options.map((title, place) => ({
        title,
        votes_count: row.hide_totals && !expired ? null : (row.tallies[place] ?? 0),
      })),
      emojis,
    }).slice(0, -1)
  return {
    id: row.id,
    options: row.options,
    endsAtMs: row.expires_at_ms ?? Number.POSITIVE_INFINITY,
    running: text(false),
    ended: text(true),
  }
}

/**
 * The entity Poll as JSON.
 * @param voter null for an anonymous viewer
 */
export function pollText(fragment: PollFragment, voter: Voter | null, nowMs: number): string {
  const text = fragment.endsAtMs <= nowMs ? fragment.ended : fragment.running
  if (!voter) return `${text}}`
  const choices = voter.isAuthor ? [] : voter.choices
  return `${text},"voted":${voter.isAuthor || choices.length > 0},"own_votes":[${choices.join(',')}]}`
}
