import type { Command } from 'commander'
import type { Session } from './session.ts'
export function addSeed(_program: Command, _session: Session): void {}
