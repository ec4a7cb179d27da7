import { afterAll } from 'vitest';
import { closeBrowser } from '../support/run/browser.ts';

// In one file: a browser takes as long to start as several tests in it.
import './suites/adjust.ts';
import './suites/calls.ts';
import './suites/day.ts';
import './suites/deletions.ts';
import './suites/figures.ts';
import './suites/foretold.ts';
import './suites/imports.ts';
import './suites/manners.ts';
import './suites/people.ts';
import './suites/preflight.ts';
import './suites/reading.ts';
import './suites/tasks.ts';
import './suites/waiting.ts';
import './suites/webhooks.ts';

afterAll(closeBrowser);
