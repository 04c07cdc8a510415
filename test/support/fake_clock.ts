import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/*
 * Debian's libfaketime, which shows processes another time of day while they run. Their monotonic
 * clock stays, as it does when somebody sets the system's clock.
 */

const PARENT = '/usr/lib'

function findLibrary(): string | undefined {
  const folders = readdirSync(PARENT).map(name => join(PARENT, name, 'faketime'))
  for (const folder of folders) {
    try {
      if (readdirSync(folder).includes('libfaketimeMT.so.1')) return join(folder, 'libfaketimeMT.so.1')
    } catch {
      // it is not in this folder
    }
  }
  return undefined
}

const library = process.platform === 'linux' ? findLibrary() : undefined

/** Why a test that needs it is left out. */
export const skipWithoutFakeClock = library === undefined && 'libfaketime is not installed'

/** The clock of the processes with this environment. */
export interface FakeClock {
  readonly env: Readonly<Record<string, string>>
  /** Sets it to this many hours from now. */
  set(hours: number): void
  /** Stops it at a moment. */
  stopAt(moment: Date): void
}

export function fakeClock(t: Test): FakeClock {
  if (library === undefined) throw new Error('libfaketime is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'millrace-clock-'))
  // PostgreSQL runs as another user when root runs the test.
  chmodSync(folder, 0o755)
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'clock')
  const set = (hours: number): void => writeFileSync(file, `${hours < 0 ? '-' : '+'}${Math.abs(hours) * 3600}`)
  set(0)
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      TZ: 'UTC',
    },
    set,
    stopAt: moment => writeFileSync(file, moment.toISOString().slice(0, 19).replace('T', ' ')),
  }
}
