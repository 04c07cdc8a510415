import { runFederationTask } from './run.ts'

export const jobs = [runFederationTask]
