import type { Faults } from '../faults.ts'

const LONGEST = 30
const FORM = /^[a-z0-9_]+$/i

/** Names that would be taken for the server's own (api/conventions.md, section 15). */
const RESERVED = new Set(
  (
    'abuse account accounts admin administration administrator admins help helpdesk instance mod moderator moderators mods owner root ' +
    'security server staff support webmaster'
  ).split(' '),
)
const RESERVED_WITHIN = ['mastodon', 'mastadon']

/** Digits that are read as letters. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  2: 'z',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  9: 'g',
}

/** Whether a name is kept for the server, in any case and with digits in place of letters. */
export function isReserved(username: string): boolean {
  const read = username.toLowerCase().replace(/[0-9]/g, digit => LOOK_ALIKES[digit] ?? digit)
  return RESERVED.has(read) || RESERVED_WITHIN.some(word => read.includes(word))
}

/** Notes what is wrong with the form of a name; that it is taken is found in the database. */
export function checkUsername(username: string, faults: Faults): void {
  if (username === '') return faults.add('username', 'Username', 'ERR_BLANK', "can't be blank")
  if (!FORM.test(username)) {
    faults.add('username', 'Username', 'ERR_INVALID', 'must contain only letters, numbers and underscores')
  }
  if (username.length > LONGEST) faults.addTooLong('username', 'Username', LONGEST)
  if (isReserved(username)) faults.add('username', 'Username', 'ERR_RESERVED', 'is reserved')
}
