package worker_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/worker"
)

// tenantOf is a website of an organization.
func tenantOf(organization, website byte) worker.Tenant {
	return worker.Tenant{Organization: laurel.ID{14: organization}, Website: laurel.ID{14: organization, 15: website}}
}

func TestAnOrganizationNeverHoldsAllPlaces(t *testing.T) {
	t.Parallel()
	for places := 2; places <= 300; places++ {
		s := worker.TenantSlots{Total: places}
		for website := range 2 * places {
			s.TryAcquire(tenantOf(1, byte(website)))
		}
		held := 0
		for s.TryAcquire(tenantOf(2, 1)) {
			held++
		}
		if held == 0 {
			t.Errorf("of %d places another organization gets %d", places, held)
		}
	}
}

func TestAWebsiteLeavesPlacesOfItsOrganization(t *testing.T) {
	t.Parallel()
	for places := 4; places <= 300; places++ {
		s := worker.TenantSlots{Total: places}
		single := 0
		for s.TryAcquire(tenantOf(1, 1)) {
			single++
		}
		if single == 0 || single > (places+3)/4 || !s.TryAcquire(tenantOf(1, 2)) {
			t.Errorf("of %d places a website takes %d, and a sibling none", places, single)
		}
		for range single {
			s.Release(tenantOf(1, 1))
		}
		s.Release(tenantOf(1, 2))
		for range single {
			if !s.TryAcquire(tenantOf(1, 1)) {
				t.Fatalf("places that were left cannot be taken again")
			}
		}
	}
}

// TestPlacesGoToOrganizationsInTurn fills one place with an organization that wants it without end: another one is
// next, even if others of the first came before it.
func TestPlacesGoToOrganizationsInTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := worker.NewFairSemaphore(1, 100)
		leave, err := g.Acquire(t.Context(), tenantOf(1, 1))
		if err != nil {
			t.Fatal(err)
		}
		var order []byte
		enter := func(organization, website byte) {
			go func() {
				leave, err := g.Acquire(t.Context(), tenantOf(organization, website))
				if err == nil {
					order = append(order, 10*organization+website)
					time.Sleep(time.Second)
					leave()
				}
			}()
			synctest.Wait()
		}
		for range 3 {
			enter(1, 1)
		}
		enter(1, 2)
		enter(2, 1)
		enter(2, 1)
		leave()
		time.Sleep(time.Minute)
		synctest.Wait()
		if want := []byte{21, 12, 21, 11, 11, 11}; !slices.Equal(order, want) {
			t.Errorf("served %v, not %v", order, want)
		}
	})
}

func TestWhoWaitsNoMoreTakesNoPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := worker.NewFairSemaphore(1, 2)
		leave, _ := g.Acquire(t.Context(), tenantOf(1, 1))
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		gone := make(chan error)
		go func() {
			_, err := g.Acquire(ctx, tenantOf(1, 1))
			gone <- err
		}()
		synctest.Wait()
		if _, err := g.Acquire(t.Context(), tenantOf(1, 2)); !errors.Is(err, worker.ErrFull) {
			t.Errorf("more wait than may: %v", err)
		}
		if err := <-gone; !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the wait ended with %v", err)
		}
		leave()
		leave, err := g.Acquire(t.Context(), tenantOf(2, 1))
		if err != nil {
			t.Fatal(err)
		}
		leave()
	})
}
