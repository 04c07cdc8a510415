const KEY = '[a-z*][a-z0-9_.*-]*'
const BARE_ITEM = [
  String.raw`"(?:[^"\\]|\\["\\])*"`,
  ':[A-Za-z0-9+/=]*:',
  String.raw`\?[01]`,
  String.raw`-?\d+(?:\.\d+)?`,
  "[A-Za-z*][\\w!#$%&'*+.^`|~:/-]*",
].join('|')
const MEMBER = new RegExp(`[ \t]*(${KEY})(?:=(${BARE_ITEM}))?(?:; *${KEY}(?:=(?:${BARE_ITEM}))?)*[ \t]*(,|$)`, 'y')

/**
 * Parses a dictionary of items (RFC 8941). Of members with the same key the last counts. Undefined
 * for other texts, and for dictionaries of lists.
 * @returns the byte sequences in base64 by their keys, undefined for items of other types
 */
export function parseDictionary(text: string): ReadonlyMap<string, string | undefined> | undefined {
  const members = new Map<string, string | undefined>()
  MEMBER.lastIndex = 0
  for (let separator = ','; separator === ',';) {
    const [, key, item = '', end = ''] = MEMBER.exec(text) ?? []
    if (key === undefined) return undefined
    members.set(key, /^:(.*):$/.exec(item)?.[1])
    separator = end
  }
  return members
}
