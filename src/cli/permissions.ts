import { ALL_PERMISSIONS, PERMISSIONS } from '../core/permissions.ts'
import { CliError } from './cli_error.ts'

const BITS = new Map<string, number>(Object.entries(PERMISSIONS))

const PERMISSION_NAMES = [...BITS.keys()]

/** The bit mask for a list of names, or a number. @throws CliError */
export function parsePermissions(text: string): number {
  if (/^\d+$/.test(text.trim())) {
    const mask = Number(text)
    if (mask > ALL_PERMISSIONS) throw new CliError(`A mask of permissions is at most ${ALL_PERMISSIONS}`)
    return mask
  }
  let mask = 0
  for (const name of text.split(/[\s,]+/).filter(word => word !== '')) {
    const bit = BITS.get(name)
    if (bit === undefined)
      throw new CliError(`Unknown permission "${name}"; the permissions are ${PERMISSION_NAMES.join(', ')}`)
    mask |= bit
  }
  return mask
}

/** The names of the bits in a mask. */
export const permissionNames = (mask: number): string[] =>
  [...BITS].flatMap(([name, bit]) => ((mask & bit) === 0 ? [] : [name]))
