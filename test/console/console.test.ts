import { afterAll } from 'vitest';
import { closeBrowser } from '../support/run/browser.ts';

// The way that every operator goes. All others are in console.all.test.ts.
import './suites/campaign.ts';

afterAll(closeBrowser);
