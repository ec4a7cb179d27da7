import { useLocationProperty } from 'wouter-preact/use-browser-location';

/** The number stands in the fragment, which no server is told: numbers are in no path and no log. */
export const personPath = (phoneNumber: string): string => `/people#${encodeURIComponent(phoneNumber)}`;

const numberInAddress = (): string => {
  const text = location.hash.slice(1);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const useNumberInAddress = (): string => useLocationProperty(numberInAddress);
