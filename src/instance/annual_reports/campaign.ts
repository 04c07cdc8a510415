import type { Services } from '../../platform/services.ts'

const DECEMBER = 11
const FIRST_DAY = 10

/**
 * The year whose reports are available now: from 10 to 31 December (UTC), unless the setting is
 * off; null at other times.
 */
export function openCampaign({ settings }: Pick<Services, 'settings'>, now = new Date()): number | null {
  const open = settings.get('wrapstodon') && now.getUTCMonth() === DECEMBER && now.getUTCDate() >= FIRST_DAY
  return open ? now.getUTCFullYear() : null
}

const idAt = (year: number): string => String(BigInt(Date.UTC(year, 0, 1)) << 16n)

/** The first possible status id of a year (UTC), and the first of the following year. */
export const idsOfYear = (year: number): { first: string; end: string } => ({ first: idAt(year), end: idAt(year + 1) })
